"""Values of attributes: paths, texts for keys, order, documents, and typed reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeVar, Union

from .errors import MalformedItemError
from .operation import AttributeValue, Item, Order, Schema
from .parse import parse_key

T = TypeVar("T")
Document = Union[str, int, Decimal, bool, None, bytes, set[str], "list[Document]", "dict[str, Document]"]
"""A value of an attribute as programs have it."""


def key_text(value: AttributeValue | None) -> str | None:
    """A value as a key writes it."""
    if value is None:
        return None
    if "S" in value:
        return str(value["S"])
    if "N" in value:
        return str(value["N"])
    if "BOOL" in value:
        return "true" if value["BOOL"] else "false"
    return None


def at(item: Item, path: str) -> AttributeValue | None:
    """The value at a path: an attribute of that exact name, else the way through maps."""
    if path in item:
        return item[path]
    first, dot, rest = path.partition(".")
    within = item.get(first, {}).get("M") if dot else None
    return None if within is None else at(within, rest)


def put(item: Item, path: str, value: AttributeValue) -> None:
    first, dot, rest = path.partition(".")
    if not dot:
        item[path] = value
        return
    within: Item = dict(item.get(first, {}).get("M", {}))
    put(within, rest, value)
    item[first] = {"M": within}


def alias(attribute: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_]+", attribute) is not None:
        return f"#{attribute}"
    return f"#x_{attribute.encode().hex()}"


def by_order(a: Item, b: Item, order: Sequence[Order]) -> int:
    for part in order:
        left, right = at(a, part.attribute), at(b, part.attribute)
        ranks = _rank(part, left), _rank(part, right)
        difference = _compare(left, right) if None in ranks else _difference(*ranks)
        if difference != 0:
            return -difference if part.descending else difference
    return 0


def _rank(part: Order, value: AttributeValue | None) -> int | None:
    """The position of a value among those that are declared."""
    text = None if value is None else value.get("S")
    return part.values.index(text) if text in part.values else None


def _difference(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


def _compare(a: AttributeValue | None, b: AttributeValue | None) -> int:
    """The order of two values; an absent one comes first."""
    left: Any
    right: Any
    if a is None or b is None:
        left, right = a is not None, b is not None
    elif "S" in a and "S" in b:
        left, right = a["S"].encode(), b["S"].encode()
    elif "N" in a and "N" in b:
        left, right = Decimal(a["N"]), Decimal(b["N"])
    elif "BOOL" in a and "BOOL" in b:
        left, right = a["BOOL"], b["BOOL"]
    else:
        return 0
    return _difference(left, right)


def type_of(schema: Schema, item: Item, candidates: Sequence[str]) -> str | None:
    """Which of these item types an item is: by its type attribute, or by its key where that is not projected."""
    stated = item.get(schema.type_attribute) if schema.type_attribute is not None else None
    if stated is not None:
        return next((name for name in candidates if name == stated.get("S")), None)

    def fits(name: str) -> bool:
        item_type = next((it for it in schema.items if it.name == name), None)
        primary = next((it.key for it in schema.tables if item_type and it.name == item_type.table), ())
        keys = [it for it in item_type.keys if it.attribute in primary] if item_type else []
        return all(parse_key(it.template, key_text(item.get(it.attribute)) or "") is not None for it in keys)

    return next((name for name in candidates if fits(name)), None)


def to_attribute(value: Document) -> AttributeValue:
    """A document as DynamoDB has it."""
    if value is None:
        return {"NULL": True}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, (int, Decimal)):
        return {"N": number_text(value)}
    if isinstance(value, bytes):
        return {"B": value}
    if isinstance(value, set):
        return {"SS": sorted(value)}
    if isinstance(value, list):
        return {"L": [to_attribute(one) for one in value]}
    return {"M": {name: to_attribute(one) for name, one in value.items()}}


def number_text(value: int | Decimal) -> str:
    """A number as DynamoDB writes it; what is no finite number is refused."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise MalformedItemError(f"{value} is no number of DynamoDB")
        return format(value, "f")
    return str(value)


def from_attribute(value: AttributeValue) -> Document:
    """A document from what DynamoDB has."""
    ((kind, it),) = value.items()
    if kind == "N":
        return Decimal(it)
    if kind == "NULL":
        return None
    if kind == "L":
        return [from_attribute(one) for one in it]
    if kind == "M":
        return {name: from_attribute(one) for name, one in it.items()}
    if kind in ("SS", "NS"):
        return set(it)
    document: Document = it
    return document


class Reader:
    """Reads the attributes of an item, and says which one is missing or of another type."""

    def __init__(self, item_type: str, item: Item) -> None:
        self._type = item_type
        self._item = item

    def _value(self, path: str, *kinds: str) -> Any:
        value = at(self._item, path) or {}
        for kind in kinds:
            if kind in value:
                return value[kind]
        raise MalformedItemError(f"{self._type}: `{path}` is missing or of another type")

    def optional(self, path: str, read: Callable[[str], T]) -> T | None:
        """An attribute by one of the other methods, or None where it is absent."""
        return None if at(self._item, path) is None else read(path)

    def text(self, path: str) -> str:
        """A text."""
        return str(self._value(path, "S", "N"))

    def integer(self, path: str) -> int:
        """A whole number."""
        value = Decimal(self._value(path, "N"))
        if value != value.to_integral_value():
            raise MalformedItemError(f"{self._type}: `{path}` is not a whole number")
        return int(value)

    def decimal(self, path: str) -> Decimal:
        """A number."""
        return Decimal(self._value(path, "N"))

    def flag(self, path: str) -> bool:
        """True or false."""
        return bool(self._value(path, "BOOL"))

    def binary(self, path: str) -> bytes:
        """Bytes."""
        return bytes(self._value(path, "B"))

    def documents(self, path: str) -> list[Document]:
        """A list."""
        return [from_attribute(one) for one in self._value(path, "L")]

    def mapping(self, path: str) -> dict[str, Document]:
        """A map."""
        return {name: from_attribute(one) for name, one in self._value(path, "M").items()}

    def texts(self, path: str) -> set[str]:
        """A set."""
        return set(self._value(path, "SS", "NS"))
