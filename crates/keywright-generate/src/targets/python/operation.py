"""Operations as values: the requests of a pattern, one after the other, over the values that a call has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Union

if TYPE_CHECKING:
    from .scope import Scope, generated, key, text

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]
"""An item as DynamoDB has it."""
Given = Union[AttributeValue, list[AttributeValue], None]
Inputs = Mapping[str, Given]
"""What the caller gives, by name. What is left out is None."""
Value = Callable[["Scope"], Given]
"""A value in an operation."""
Pair = tuple[str, Value]
"""An attribute and its value."""


@dataclass(frozen=True)
class Clause:
    """A part of an expression; where one of its values is absent it falls away, or says something else."""

    text: str
    values: Sequence[Value] = ()
    otherwise: str | None = None


@dataclass(frozen=True)
class Made:
    """A value that the operation makes up."""

    name: str
    how: Literal["ulid", "uuid", "ksuid", "now", "nowMillis", "today", "expiry"]
    days: int = 0


@dataclass(frozen=True)
class Order:
    """One attribute of an order."""

    attribute: str
    descending: bool = False
    values: Sequence[str] = ()
    """The declared values, where their order is not that of the texts."""


@dataclass(frozen=True)
class Scatter:
    """A Query that is repeated over the values of placeholders: one row of values after the other."""

    placeholders: Sequence[str]
    values: Sequence[str]
    one_after_another: bool = False

    def rows(self) -> list[dict[str, str]]:
        """The values of the placeholders in each of the Queries."""
        width = len(self.placeholders)
        starts = range(0, len(self.values), width)
        return [dict(zip(self.placeholders, self.values[at : at + width], strict=True)) for at in starts]


@dataclass(frozen=True)
class Get:
    """GetItem."""

    table: str
    key: Sequence[Pair]
    projection: Sequence[str] = ()
    consistent: bool = False
    may_be_absent: bool = False


@dataclass(frozen=True)
class Query:
    """Query."""

    table: str
    partition: Sequence[Pair]
    index: str | None = None
    sort: Sequence[Pair] = ()
    range: Clause | None = None
    filter: Sequence[Clause] = ()
    projection: Sequence[str] = ()
    backward: bool = False
    limit: int | None = None
    paged: bool = False
    consistent: bool = False
    count: bool = False
    scatter: Scatter | None = None


@dataclass(frozen=True)
class BatchGet:
    """BatchGetItem."""

    table: str
    of_step: int | None = None
    each: Sequence[Pair] = ()
    projection: Sequence[str] = ()
    consistent: bool = False


@dataclass(frozen=True)
class Scan:
    """Scan."""

    table: str
    index: str | None = None
    filter: Sequence[Clause] = ()
    limit: int | None = None
    paged: bool = False
    count: bool = False


@dataclass(frozen=True)
class Put:
    """Put an item: its key attributes follow from its type's templates."""

    table: str
    item: str
    values: Sequence[Pair]
    based_on: int | None = None
    when: Sequence[Value] = ()
    condition: Sequence[Clause] = ()
    fails_as: str | None = None
    on_reads: bool = False
    each: int | None = None


@dataclass(frozen=True)
class Entry:
    """An index key attribute that an update sets, or removes."""

    attribute: str
    value: Value | None = None
    when: Value | None = None
    only_if_given: bool = False
    equals: str | None = None


@dataclass(frozen=True)
class Update:
    """Update an item."""

    table: str
    key: Sequence[Pair]
    set: Sequence[Clause] = ()
    remove: Sequence[str] = ()
    add: Sequence[Clause] = ()
    delete: Sequence[Clause] = ()
    entries: Sequence[Entry] = ()
    condition: Sequence[Clause] = ()
    fails_as: str | None = None
    on_reads: bool = False
    each: int | None = None


@dataclass(frozen=True)
class Delete:
    """Delete an item."""

    table: str
    key: Sequence[Pair]
    when: Sequence[Value] = ()
    condition: Sequence[Clause] = ()
    fails_as: str | None = None
    on_reads: bool = False
    each: int | None = None


@dataclass(frozen=True)
class Check(Delete):
    """Check an item's condition."""


Action = Union[Put, Update, Delete]


@dataclass(frozen=True)
class Write:
    """One action by itself, a transaction, or a batch."""

    mode: Literal["single", "transaction", "batch"]
    actions: Sequence[Action]


Step = Union[Get, Query, BatchGet, Scan, Write]


@dataclass(frozen=True)
class Retry:
    """Start over when a condition fails on what an earlier step read."""

    from_step: int
    attempts: int


@dataclass(frozen=True)
class Operation:
    """How a pattern is served."""

    pattern: str
    steps: Sequence[Step]
    shape: Literal["single", "collection", "page", "count", "nothing"]
    answer_from: int
    made: Sequence[Made] = ()
    counter: str | None = None
    order: Sequence[Order] = ()
    client_sort: bool = False
    first: int | None = None
    retry: Retry | None = None


@dataclass(frozen=True)
class Table:
    """A table and its primary key."""

    name: str
    key: Sequence[str]


@dataclass(frozen=True)
class Index:
    """An index and its key."""

    table: str
    name: str
    key: Sequence[str]


@dataclass(frozen=True)
class ItemKey:
    """How a key attribute of an item gets its value, and when."""

    attribute: str
    template: str
    when: str | None = None
    equals: str | None = None


@dataclass(frozen=True)
class ItemType:
    """A kind of item."""

    name: str
    table: str
    keys: Sequence[ItemKey] = ()
    # Maps that hold attributes: an item has them from the start, so that an update can set what lies in them.
    maps: Sequence[str] = ()


@dataclass(frozen=True)
class Schema:
    """The tables, indexes and item types."""

    tables: Sequence[Table]
    items: Sequence[ItemType]
    indexes: Sequence[Index] = ()
    type_attribute: str | None = None
    aliases: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Answer:
    """What an operation gave."""

    items: list[Item]
    next_cursor: str | None
    count: int
    generated: Item
    """What the operation made up."""
    written: Mapping[str, Item]
    """The first item of each type that was put."""
