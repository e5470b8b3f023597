"""Runs operations against DynamoDB.

Builds keys and expressions, follows pages, merges shards, sends again what a batch left over, and turns failed
conditions into errors that say which condition of the pattern failed.
"""

from __future__ import annotations

import functools
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Generic, Literal, Protocol, TypeVar

from .cursor import Position, Progress, decode_cursor, encode_cursor
from .errors import ConditionFailedError, CursorError, ItemNotFoundError, MalformedItemError, UnprocessedError
from .key import build_key, new_ksuid, new_ulid, new_uuid
from .operation import (
    Action,
    Answer,
    AttributeValue,
    BatchGet,
    Check,
    Clause,
    Delete,
    Get,
    Inputs,
    Item,
    Made,
    Operation,
    Order,
    Pair,
    Put,
    Query,
    Scan,
    Scatter,
    Schema,
    Update,
    Write,
)
from .scope import Expressions, Scope
from .value import alias, at, by_order, key_text, put

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


@dataclass
class _Found:
    items: list[Item]
    count: int
    last: Item | None


@dataclass(frozen=True)
class _Ready:
    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    body: dict[str, Any]
    fails_as: str | None
    on_reads: bool


@dataclass(frozen=True)
class _Failure:
    conditions: list[str]
    race: bool


_BATCH_ATTEMPTS = 8
_DEFAULT_PAGE = 25
_MOST_SHARDS_AT_ONCE = 16


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
        return _Call(self, operation, Scope(inputs, self.make(operation.made)), limit, position).run()

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
        if self.schema.type_attribute is not None:
            item[self.schema.type_attribute] = {"S": name}
        templated = {it.attribute for it in item_type.keys}
        for attribute in templated:
            item.pop(attribute, None)
        keys: Item = {}
        for it in item_type.keys:
            if it.when is not None:
                guard = at(item, it.when)
                if guard is None or (it.equals is not None and key_text(guard) != it.equals):
                    continue
            built = build_key(it.template, lambda attribute: key_text(at(item, attribute)))
            if built is not None:
                keys[it.attribute] = {"S": built}
        # An index key is whole or absent: half of one would keep a stale attribute on the item.
        for index in self.schema.indexes:
            own = [it for it in index.key if it in templated] if index.table == item_type.table else []
            if any(attribute not in keys for attribute in own):
                for attribute in own:
                    keys.pop(attribute, None)
        for attribute in self.table_key(item_type.table):
            if attribute not in keys and attribute not in item:
                raise MalformedItemError(f"{name}: the attributes of its key {attribute} are not all there")
        return {**item, **keys}


class _Call:
    """One call of an operation."""

    def __init__(
        self, store: Store, operation: Operation, scope: Scope, limit: int | None, position: Position
    ) -> None:
        self._store = store
        self._operation = operation
        self._scope = scope
        self._limit = limit
        self._position = position
        self._count = 0
        self._next: Position | None = None
        self._written: dict[str, Item] = {}

    def run(self) -> Answer:
        steps, retry, pattern = self._operation.steps, self._operation.retry, self._operation.pattern
        retries = 0
        index = 0
        while index < len(steps):
            step = steps[index]
            del self._scope.reads[index:]
            if isinstance(step, Write):
                failure = self._write(step)
                if failure is not None:
                    if failure.race and retry is not None and retries < retry.attempts:
                        retries += 1
                        _pause(retries)
                        index = retry.from_step - 1
                        continue
                    lost_race = failure.race and not failure.conditions
                    raise ConditionFailedError(pattern, failure.conditions, lost_race)
                self._scope.reads.append([])
            else:
                items = self._read(step, index + 1)
                self._scope.reads.append(items)
                # A Query that looks for a single item stands for a Get.
                if isinstance(step, Query):
                    looks_for_one = step.limit == 1 and not step.paged and not step.count
                else:
                    looks_for_one = isinstance(step, Get) and not step.may_be_absent
                ends = looks_for_one and not items
                if ends and index + 1 < len(steps):
                    if self._operation.shape == "nothing":
                        raise ItemNotFoundError(pattern)
                    break
            index += 1
        return self._answer()

    def _answer(self) -> Answer:
        operation = self._operation
        reads = self._scope.reads
        items = reads[operation.answer_from - 1] if operation.answer_from <= len(reads) else []
        following = self._next
        if operation.client_sort:

            def ordered(a: Item, b: Item) -> int:
                return by_order(a, b, operation.order)

            items = sorted(items, key=functools.cmp_to_key(ordered))
        if operation.shape == "page" and operation.client_sort:
            start = self._position.offset or 0
            end = start + (self._limit or _DEFAULT_PAGE)
            following = Position(offset=end) if end < len(items) else None
            items = items[start:end]
        count = self._count
        if operation.counter is not None:
            value = at(items[0], operation.counter) if items else None
            count = int(Decimal(value["N"])) if value is not None and "N" in value else 0
        paged = operation.shape == "page" and following is not None
        return Answer(
            items=items[:1] if operation.shape == "single" else items,
            next_cursor=encode_cursor(operation.pattern, following) if paged and following is not None else None,
            count=count,
            generated=self._scope.generated,
            written=self._written,
        )

    def _read(self, step: Get | Query | BatchGet | Scan, index: int) -> list[Item]:
        if isinstance(step, Get):
            return self._get(step)
        if isinstance(step, BatchGet):
            return self._batch_get(step)
        if isinstance(step, Scan):
            return self._scan(step, index)
        return self._query(step, index) if step.scatter is None else self._scattered(step, step.scatter, index)

    def _primary_key(self, pairs: Sequence[Pair], scope: Scope) -> Item:
        item: Item = {}
        for attribute, value in pairs:
            it = value(scope)
            if it is None or isinstance(it, list):
                raise MalformedItemError(f"{self._operation.pattern}: there is no value for the key {attribute}")
            item[attribute] = it
        return item

    def _get(self, step: Get) -> list[Item]:
        expressions = self._store.expressions(self._scope)
        answer = self._store.client.get_item(
            TableName=self._store.table_name(step.table),
            Key=self._primary_key(step.key, self._scope),
            ConsistentRead=step.consistent,
            **expressions.projection(step.projection),
            **expressions.request(),
        )
        return [answer["Item"]] if "Item" in answer else []

    def _leads(self, index: int) -> bool:
        """Whether the step gives the answer, or the index entries that a BatchGet turns into it."""
        answer = self._operation.steps[self._operation.answer_from - 1]
        return self._operation.answer_from == index or (isinstance(answer, BatchGet) and answer.of_step == index)

    def _most(self, step: Query | Scan, index: int) -> int | None:
        if self._operation.client_sort and self._leads(index):
            return None
        return self._limit or step.limit if step.paged else step.limit

    def _query(self, step: Query, index: int) -> list[Item]:
        paged = step.paged and self._leads(index)
        start = self._position.after if paged else None
        result = self._pages(step, self._scope, start, self._most(step, index))
        if step.count:
            self._count = result.count
        if paged and result.last is not None:
            self._next = Position(after=result.last)
        return result.items

    def _pages(self, step: Query, scope: Scope, start: Item | None, limit: int | None) -> _Found:
        """One Query, page after page, until there are enough items or no more."""
        partition = self._primary_key(step.partition, scope)
        if start is not None:
            self._check_start(start, partition, step.table, step.index)
        expressions = self._store.expressions(scope)
        conditions = [
            f"{expressions.aliased(alias(attribute))} = {expressions.value(value)}"
            for attribute, value in partition.items()
        ]
        is_open = True
        for attribute, value in step.sort:
            it = value(scope)
            if it is None or isinstance(it, list):
                is_open = False
                break
            conditions.append(f"{expressions.aliased(alias(attribute))} = {expressions.value(it)}")
        bounds = expressions.clause(step.range) if is_open and step.range is not None else None
        if bounds is not None:
            conditions.append(bounds)
        request: dict[str, Any] = {
            "TableName": self._store.table_name(step.table),
            "KeyConditionExpression": " AND ".join(conditions),
            "ScanIndexForward": not step.backward,
            "ConsistentRead": step.consistent,
            **expressions.all("FilterExpression", step.filter),
            **({"Select": "COUNT"} if step.count else expressions.projection(step.projection)),
        }
        if step.index is not None:
            request["IndexName"] = step.index
        request.update(expressions.request())
        return self._follow(self._store.client.query, request, start, limit)

    def _follow(
        self, send: Callable[..., Any], request: dict[str, Any], start: Item | None, limit: int | None
    ) -> _Found:
        result = _Found([], 0, start)
        while True:
            page = dict(request)
            if limit is not None:
                page["Limit"] = limit - result.count
            if result.last is not None:
                page["ExclusiveStartKey"] = result.last
            answer = send(**page)
            result.items.extend(answer.get("Items", []))
            result.count += answer.get("Count", 0)
            result.last = answer.get("LastEvaluatedKey") or None
            if result.last is None or (limit is not None and result.count >= limit):
                return result

    def _check_start(self, start: Item, partition: Item, table: str, index: str | None) -> None:
        """A cursor's key must lie in the partition that the request reads, and be a key of the table or index."""
        names = {*self._store.table_key(table), *self._store.index_key(table, index)}
        inside = all(name in start and start[name] == value for name, value in partition.items())
        if set(start) != names or not inside:
            raise CursorError(f"{self._operation.pattern}: the cursor belongs to another partition")

    def _scattered(self, step: Query, scatter: Scatter, index: int) -> list[Item]:
        limit = self._most(step, index)
        paged = step.paged and self._leads(index)
        progress: list[Progress] = ["start" for _ in scatter.values]
        if paged and self._position.shards is not None:
            progress = list(self._position.shards)
        if len(progress) != len(scatter.values):
            raise CursorError(f"{self._operation.pattern}: the cursor was made for another number of shards")

        def shard(which: int, most: int | None) -> _Found:
            start = progress[which]
            scope = replace(self._scope, scattered=(scatter.placeholder, scatter.values[which]))
            return self._pages(step, scope, start if isinstance(start, dict) else None, most)

        results: dict[int, _Found] = {}
        is_open = [which for which, one in enumerate(progress) if one != "done"]
        if scatter.one_after_another:
            have = 0
            for which in is_open:
                if limit is not None and have >= limit:
                    break
                results[which] = shard(which, None if limit is None else limit - have)
                have += results[which].count
        elif is_open:
            with ThreadPoolExecutor(max_workers=min(len(is_open), _MOST_SHARDS_AT_ONCE)) as pool:
                results = dict(zip(is_open, pool.map(lambda which: shard(which, limit), is_open)))
        if step.count:
            self._count = 0
            for one in results.values():
                self._count += one.count
            return []
        items, taken = _merge(results, self._operation.order, limit)
        for which, one in results.items():
            count = taken[which]
            if count == len(one.items):
                progress[which] = "done" if one.last is None else one.last
            elif count > 0:
                progress[which] = self._start_after(step, one.items[count - 1])
        if paged and any(one != "done" for one in progress):
            self._next = Position(shards=progress)
        return items

    def _start_after(self, step: Query, item: Item) -> Item:
        """The key after which a Query goes on, from an item that it returned."""
        names = [*self._store.table_key(step.table), *self._store.index_key(step.table, step.index)]
        return {name: item[name] for name in names if name in item}

    def _batch_get(self, step: BatchGet) -> list[Item]:
        names = self._store.table_key(step.table)
        wanted = self._wanted_keys(step, names)

        def identity(item: Item) -> str:
            return json.dumps([key_text(item.get(name)) for name in names])

        distinct = list({identity(one): one for one in wanted}.values())
        table = self._store.table_name(step.table)
        results: dict[str, Item] = {}
        for start in range(0, len(distinct), 100):
            expressions = self._store.expressions(self._scope)
            # Answers come in any order: only their keys tell which is which.
            paths = [*step.projection, *(alias(name) for name in names)] if step.projection else []
            projection = expressions.projection(list(dict.fromkeys(paths)))
            rest = distinct[start : start + 100]
            attempt = 0
            while rest:
                if attempt == _BATCH_ATTEMPTS:
                    raise UnprocessedError(f"{self._operation.pattern}: keys are left over")
                if attempt > 0:
                    _pause(attempt)
                attempt += 1
                request = {"Keys": rest, "ConsistentRead": step.consistent, **projection, **expressions.request()}
                answer = self._store.client.batch_get_item(RequestItems={table: request})
                for item in answer.get("Responses", {}).get(table, []):
                    results[identity(item)] = item
                rest = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
        return [results[identity(one)] for one in wanted if identity(one) in results]

    def _wanted_keys(self, step: BatchGet, names: Sequence[str]) -> list[Item]:
        if step.of_step is not None and step.each:
            return [
                self._primary_key(step.each, replace(self._scope, at_hand=(step.of_step, index)))
                for index in range(len(self._scope.reads[step.of_step - 1]))
            ]
        if step.of_step is not None:
            return [{name: entry[name] for name in names} for entry in self._scope.reads[step.of_step - 1]]
        lengths = [len(value) for value in self._scope.inputs.values() if isinstance(value, list)]
        return [
            self._primary_key(step.each, replace(self._scope, element=element))
            for element in range(max(lengths, default=0))
        ]

    def _scan(self, step: Scan, index: int) -> list[Item]:
        paged = step.paged and self._leads(index)
        expressions = self._store.expressions(self._scope)
        request: dict[str, Any] = {
            "TableName": self._store.table_name(step.table),
            **expressions.all("FilterExpression", step.filter),
            **({"Select": "COUNT"} if step.count else {}),
        }
        if step.index is not None:
            request["IndexName"] = step.index
        request.update(expressions.request())
        start = self._position.after if paged else None
        result = self._follow(self._store.client.scan, request, start, self._most(step, index))
        if step.count:
            self._count = result.count
        if paged and result.last is not None:
            self._next = Position(after=result.last)
        return result.items

    def _write(self, step: Write) -> _Failure | None:
        ready = self._ready(step.actions)
        if step.mode == "batch":
            for start in range(0, len(ready), 25):
                self._write_batch(ready[start : start + 25])
            return None
        ready = _met(ready) if step.mode == "transaction" else ready
        size = 100 if step.mode == "transaction" else 1
        for start in range(0, len(ready), size):
            chunk = ready[start : start + size]
            failure = self._transact(chunk) if step.mode == "transaction" else self._write_one(chunk[0])
            if failure is not None:
                return failure
        return None

    def _write_one(self, one: _Ready) -> _Failure | None:
        client = self._store.client
        try:
            if one.kind == "Put":
                client.put_item(**one.body)
            elif one.kind == "Update":
                client.update_item(**one.body)
            elif one.kind == "Delete":
                client.delete_item(**one.body)
            else:
                # A check can't stand alone: it is a transaction of one.
                return self._transact([one])
        except Exception as error:
            if _error_code(error) == "ConditionalCheckFailedException":
                return _failed([one])
            raise
        return None

    def _transact(self, ready: Sequence[_Ready]) -> _Failure | None:
        try:
            self._store.client.transact_write_items(TransactItems=[{one.kind: one.body} for one in ready])
        except Exception as error:
            if _error_code(error) != "TransactionCanceledException":
                raise
            reasons = getattr(error, "response", {}).get("CancellationReasons", [])
            codes = [reason.get("Code") for reason in reasons]
            refused = [one for one, code in zip(ready, codes) if code == "ConditionalCheckFailed"]
            if refused:
                return _failed(refused)
            if "TransactionConflict" in codes or not codes:
                return _Failure([], race=True)
            raise
        return None

    def _write_batch(self, ready: Sequence[_Ready]) -> None:
        rest: dict[str, list[Any]] = {}
        for one in ready:
            if one.kind == "Put":
                request = {"PutRequest": {"Item": one.body["Item"]}}
            else:
                request = {"DeleteRequest": {"Key": one.body["Key"]}}
            rest.setdefault(one.body["TableName"], []).append(request)
        attempt = 0
        while rest:
            if attempt == _BATCH_ATTEMPTS:
                raise UnprocessedError(f"{self._operation.pattern}: writes are left over")
            if attempt > 0:
                _pause(attempt)
            attempt += 1
            rest = self._store.client.batch_write_item(RequestItems=rest).get("UnprocessedItems", {})

    def _ready(self, actions: Sequence[Action]) -> list[_Ready]:
        """The actions, one per item where they are repeated, ready to be sent."""
        ready: list[_Ready] = []
        for action in actions:
            if action.each is None:
                ready.extend(self._one(action))
                continue
            for index in range(len(self._scope.reads[action.each - 1])):
                self._scope.at_hand = (action.each, index)
                try:
                    ready.extend(self._one(action))
                finally:
                    self._scope.at_hand = None
        return ready

    def _one(self, action: Action) -> list[_Ready]:
        expressions = self._store.expressions(self._scope)
        body: dict[str, Any] = {"TableName": self._store.table_name(action.table)}
        kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
        if isinstance(action, Put):
            kind = "Put"
            body["Item"] = self._put_item(action)
            self._written.setdefault(action.item, body["Item"])
        else:
            kind = "Delete" if isinstance(action, Delete) and not isinstance(action, Check) else "ConditionCheck"
            body["Key"] = self._primary_key(action.key, self._scope)
            change = self._change(action, expressions) if isinstance(action, Update) else None
            if change is not None:
                kind = "Update"
                body["UpdateExpression"] = change
        condition = expressions.all("ConditionExpression", action.condition)
        if kind == "ConditionCheck" and not condition:
            return []
        body.update(condition)
        body.update(expressions.request())
        return [_Ready(kind, body, action.fails_as, action.on_reads)]

    def _put_item(self, action: Put) -> Item:
        item: Item = {}
        if action.based_on is not None:
            at_hand = self._scope.at_hand
            index = at_hand[1] if at_hand is not None and at_hand[0] == action.based_on else 0
            items = self._scope.reads[action.based_on - 1]
            item = dict(items[index]) if index < len(items) else {}
        for path, value in action.values:
            it = value(self._scope)
            if it is not None:
                put(item, path, {"L": it} if isinstance(it, list) else it)
        return self._store.whole(action.item, item)

    def _change(self, action: Update, expressions: Expressions) -> str | None:
        """The update expression; None where nothing is left of it."""
        assigned = expressions.clauses(action.set)
        removed = [expressions.aliased(path) for path in action.remove]
        for entry in action.entries:
            path = alias(entry.attribute)
            if entry.value is not None and entry.when is not None:
                guard = entry.when(self._scope)
                # An input that was left out leaves the entry as it is.
                if guard is None and entry.only_if_given:
                    continue
                there = isinstance(guard, dict) and (entry.equals is None or key_text(guard) == entry.equals)
                if not there:
                    removed.append(expressions.aliased(path))
                    continue
            if entry.value is None:
                removed.append(expressions.aliased(path))
                continue
            assignment = expressions.clause(Clause(f"{path} = {{0}}", [entry.value]))
            if assignment is not None:
                assigned.append(assignment)
        parts = []
        for word, clauses in (
            ("SET", assigned),
            ("REMOVE", removed),
            ("ADD", expressions.clauses(action.add)),
            ("DELETE", expressions.clauses(action.delete)),
        ):
            if clauses:
                parts.append(f"{word} {', '.join(clauses)}")
        return " ".join(parts) or None


def _met(ready: Sequence[_Ready]) -> list[_Ready]:
    """One action per item, as a transaction wants it: a Delete and a Put that meet on one are that Put under the Delete's
    condition. They meet where a unique value, or a part of a key, is replaced by itself."""
    all_: list[_Ready] = []
    for one in ready:
        item = one.body.get("Item", {})
        gone = next(
            (
                other
                for other in all_
                if one.kind == "Put"
                and other.kind == "Delete"
                and other.body["TableName"] == one.body["TableName"]
                and all(item.get(name) == value for name, value in other.body["Key"].items())
            ),
            None,
        )
        if gone is not None:
            all_.remove(gone)
            body = {name: value for name, value in gone.body.items() if name != "Key"}
            one = _Ready("Put", {**body, "Item": item}, gone.fails_as, gone.on_reads)
        all_.append(one)
    return all_


def _failed(actions: Sequence[_Ready]) -> _Failure:
    return _Failure(
        conditions=[one.fails_as for one in actions if one.fails_as is not None],
        # What an earlier step read may have changed since, unless a condition of the pattern itself failed.
        race=any(one.fails_as is None or one.on_reads for one in actions),
    )


def _error_code(error: Exception) -> str | None:
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code) if code is not None else None


def _pause(attempt: int) -> None:
    """Waits a random part of a time that doubles with every attempt."""
    time.sleep(random.random() * min(0.025 * 2**attempt, 2.0))


def _merge(results: Mapping[int, _Found], order: Sequence[Order], limit: int | None) -> tuple[list[Item], dict[int, int]]:
    """Merges what shards found in the promised order; the order of the shards breaks ties, so that pages are stable."""
    taken = {which: 0 for which in results}
    items: list[Item] = []
    while limit is None or len(items) < limit:
        best: int | None = None
        for which, one in results.items():
            if taken[which] >= len(one.items):
                continue
            head = one.items[taken[which]]
            if best is None or by_order(head, results[best].items[taken[best]], order) < 0:
                best = which
        if best is None:
            break
        items.append(results[best].items[taken[best]])
        taken[best] += 1
    return items, taken
