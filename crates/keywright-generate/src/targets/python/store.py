"""The tables as the repositories use them: where they are deployed, and what a whole item of each type is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from .call import Call
from .cursor import Position, decode_cursor
from .errors import MalformedItemError
from .key import build_key, new_ksuid, new_ulid, new_uuid
from .operation import Answer, AttributeValue, Inputs, Item, Made, Operation, Schema
from .scope import Expressions, Scope
from .value import at, key_text, put

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of items. Without a next cursor it is the last one."""

    items: list[T]
    next_cursor: str | None = None


class DynamoDBClient(Protocol):
    """What is used of boto3's client for DynamoDB."""

    def get_item(self, **request: Any) -> Any: ...
    def query(self, **request: Any) -> Any: ...
    def scan(self, **request: Any) -> Any: ...
    def batch_get_item(self, **request: Any) -> Any: ...
    def put_item(self, **request: Any) -> Any: ...
    def update_item(self, **request: Any) -> Any: ...
    def delete_item(self, **request: Any) -> Any: ...
    def batch_write_item(self, **request: Any) -> Any: ...
    def transact_write_items(self, **request: Any) -> Any: ...


class Store:
    """DynamoDB, as the repositories use it."""

    def __init__(
        self,
        client: DynamoDBClient,
        schema: Schema,
        *,
        table_names: Mapping[str, str] | None = None,
        clock: Callable[[], int] | None = None,
        make: Callable[[Made], AttributeValue] | None = None,
    ) -> None:
        """A store.

        ``table_names`` are the names of the tables where they are deployed, by their names in the design; ``clock`` gives
        milliseconds since 1970, the system's unless given; ``make`` makes up the values of operations, in place of the
        clock and the system's randomness.
        """
        self.client = client
        self.schema = schema
        self._table_names = dict(table_names or {})
        self._clock = clock or (lambda: time.time_ns() // 1_000_000)
        self._make = make
        self._odd = dict(schema.aliases)

    def run(
        self, operation: Operation, inputs: Inputs, *, limit: int | None = None, cursor: str | None = None
    ) -> Answer:
        """Runs an operation."""
        if limit is not None and limit < 1:
            raise ValueError(f"{operation.pattern}: the limit must be a whole number from 1")
        position = Position() if cursor is None else decode_cursor(cursor, operation.pattern)
        return Call(self, operation, Scope(inputs, self.make(operation.made)), limit, position).run()

    def make(self, wanted: Sequence[Made]) -> Item:
        """What an operation makes up: one instant for all of it."""
        if self._make is not None:
            return {made.name: self._make(made) for made in wanted}
        millis = self._clock()
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(millis // 1000)) + f".{millis % 1000:03}Z"
        item: Item = {}
        for made in wanted:
            if made.how == "ulid":
                item[made.name] = {"S": new_ulid(millis)}
            elif made.how == "uuid":
                item[made.name] = {"S": new_uuid(millis)}
            elif made.how == "ksuid":
                item[made.name] = {"S": new_ksuid(millis)}
            elif made.how == "now":
                item[made.name] = {"S": now}
            elif made.how == "today":
                item[made.name] = {"S": now[:10]}
            elif made.how == "nowMillis":
                item[made.name] = {"N": str(millis)}
            else:
                item[made.name] = {"N": str(millis // 1000 + made.days * 86_400)}
        return item

    def expressions(self, scope: Scope) -> Expressions:
        """The expressions of a new request."""
        return Expressions(scope, self._odd)

    def table_name(self, table: str) -> str:
        """The table's name where it is deployed."""
        return self._table_names.get(table, table)

    def table_key(self, table: str) -> Sequence[str]:
        """The table's primary key."""
        return next((it.key for it in self.schema.tables if it.name == table), ())

    def index_key(self, table: str, index: str | None) -> Sequence[str]:
        """The index's key."""
        return next((it.key for it in self.schema.indexes if it.table == table and it.name == index), ())

    def whole(self, name: str, attributes: Item) -> Item:
        """The whole item of a type: its type and its keys follow from its attributes."""
        item_type = next((it for it in self.schema.items if it.name == name), None)
        if item_type is None:
            raise MalformedItemError(f"there is no item type {name}")
        item = dict(attributes)
        for path in item_type.maps:
            if at(item, path) is None:
                put(item, path, {"M": {}})
        if self.schema.type_attribute is not None:
            item[self.schema.type_attribute] = {"S": name}
        for it in item_type.keys:
            item.pop(it.attribute, None)
        keys: Item = {}
        for it in item_type.keys:
            if it.when is not None:
                guard = at(item, it.when)
                if guard is None or (it.equals is not None and key_text(guard) != it.equals):
                    continue
            built = build_key(it.template, lambda attribute: key_text(at(item, attribute)))
            if built is not None:
                keys[it.attribute] = {"S": built}
        # Strings of one index that come and go by the same attribute are all there or none is: half of them would keep a
        # stale attribute on the item. One that stands by itself stays, and so does what the table has for its own key.
        primary = self.table_key(item_type.table)
        for index in self.schema.indexes:
            own = [it for it in item_type.keys if index.table == item_type.table and it.attribute in index.key]
            ended = {(it.when, it.equals) for it in own if it.attribute not in keys}
            for it in own:
                if (it.when, it.equals) in ended and it.attribute not in primary:
                    keys.pop(it.attribute, None)
        for attribute in self.table_key(item_type.table):
            if attribute not in keys and attribute not in item:
                raise MalformedItemError(f"{name}: the attributes of its key {attribute} are not all there")
        return {**item, **keys}
