"""The values that the steps of one call can name, and the expressions that are built from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import MalformedItemError
from .key import build_bound, build_key
from .operation import AttributeValue, Clause, Given, Inputs, Item, Pair, Value
from .value import at, key_text


def given(name: str) -> Value:
    """What the caller gives under this name."""
    return lambda scope: scope.input(name)


def generated(name: str) -> Value:
    """What the operation made up under this name."""
    return lambda scope: scope.generated.get(name)


def found(step: int, attribute: str) -> Value:
    """An attribute of what an earlier step read."""
    return lambda scope: scope.read(step, attribute)


def text(value: str) -> Value:
    """A fixed text."""
    return lambda _: {"S": value}


def number(value: str) -> Value:
    """A fixed number."""
    return lambda _: {"N": value}


def flag(value: bool) -> Value:
    """A fixed truth value."""
    return lambda _: {"BOOL": value}


def key(template: str) -> Value:
    """A key, built by a template."""
    return lambda scope: _text_value(build_key(template, scope.named))


def bound(template: str) -> Value:
    """A leading part of a key, built by a template, as the bound of a range."""
    return lambda scope: _text_value(build_bound(template, scope.named))


def sum(of: Value, plus: int) -> Value:  # noqa: A001
    """A number and a step added to it; a number that was never written counts from zero."""

    def added(scope: Scope) -> Given:
        base = of(scope)
        return {"N": str(int(base["N"] if isinstance(base, dict) else "0") + plus)}

    return added


def _text_value(value: str | None) -> AttributeValue | None:
    return None if value is None else {"S": value}


@dataclass
class Scope:
    """The values that the steps of one call can name."""

    inputs: Inputs
    generated: Item
    reads: list[list[Item]] = field(default_factory=list)
    at_hand: tuple[int, int] | None = None
    element: int | None = None
    scattered: Mapping[str, str] | None = None

    def input(self, name: str) -> Given:
        """What the caller gives under this name; the element at hand of a list."""
        value = self.inputs.get(name)
        if isinstance(value, list) and self.element is not None:
            return value[self.element] if self.element < len(value) else None
        return value

    def read(self, step: int, attribute: str) -> AttributeValue | None:
        """An attribute of what an earlier step read."""
        index = self.at_hand[1] if self.at_hand is not None and self.at_hand[0] == step else 0
        items = self.reads[step - 1] if step <= len(self.reads) else []
        return at(items[index], attribute) if index < len(items) else None

    def named(self, name: str) -> str | None:
        """What a template's placeholder stands for."""
        if self.scattered is not None and name in self.scattered:
            return self.scattered[name]
        given, otherwise, old = name.partition(" else ")
        if otherwise:
            text = self.named(given)
            return self.named(old) if text is None else text
        total = re.fullmatch(r"(.+) ([+-]) (.+)", name)
        if total is not None:
            return self._total(total[1], total[2] == "-", total[3])
        read = re.fullmatch(r"(\d+)\.(.+)", name)
        if read is not None:
            return key_text(self.read(int(read[1]), read[2]))
        value = self.input(name)
        if value is None:
            value = self.generated.get(name)
        return None if isinstance(value, list) else key_text(value)

    def _total(self, of: str, minus: bool, by: str) -> str | None:
        """A number and what is added to it. What is no whole number stays as it is: an encoding refuses it."""
        base = self.named(of) or "0"
        step = by if re.fullmatch(r"[0-9]+", by) else self.named(by)
        for text in (base, step):
            if text is not None and re.fullmatch(r"-?[0-9]+", text) is None:
                return text
        if step is None:
            return None
        return str(int(base) - int(step) if minus else int(base) + int(step))


def primary_key(pairs: Sequence[Pair], scope: Scope, pattern: str) -> Item:
    """The key of one item, or the part of it that a Query fixes: all of its values must be there."""
    item: Item = {}
    for attribute, value in pairs:
        it = value(scope)
        if it is None or isinstance(it, list):
            raise MalformedItemError(f"{pattern}: there is no value for the key {attribute}")
        item[attribute] = it
    return item


class Expressions:
    """The expressions of one request, and the names and values that they share."""

    def __init__(self, scope: Scope, odd: Mapping[str, str]) -> None:
        self._scope = scope
        self._odd = odd
        self._names: dict[str, str] = {}
        self._values: Item = {}

    def aliased(self, path: str) -> str:
        """A path or a text whose aliases are taken note of."""
        for alias in re.findall(r"#[A-Za-z0-9_]+", path):
            self._names[alias] = self._odd.get(alias, alias[1:])
        return path

    def value(self, value: AttributeValue) -> str:
        """The alias of a value."""
        alias = f":v{len(self._values)}"
        self._values[alias] = value
        return alias

    def clause(self, clause: Clause) -> str | None:
        """A clause with its values in place; where one is absent, what it says then."""
        values = [value(self._scope) for value in clause.values]
        aliases: list[str] = []
        for value in values:
            if value is None:
                return None if clause.otherwise is None else self.aliased(clause.otherwise)
        for value in values:
            # A list input stands for its elements.
            several = value if isinstance(value, list) else [value] if value is not None else []
            aliases.append(", ".join(self.value(one) for one in several))
        return re.sub(r"\{(\d+)\}", lambda place: aliases[int(place[1])], self.aliased(clause.text))

    def clauses(self, clauses: Sequence[Clause]) -> list[str]:
        """The clauses that are left."""
        texts = [self.clause(clause) for clause in clauses]
        return [one for one in texts if one is not None]

    def all(self, field_name: str, clauses: Sequence[Clause]) -> dict[str, Any]:
        """A field of a request with all clauses together; nothing where none is left."""
        texts = self.clauses(clauses)
        return {field_name: " AND ".join(texts)} if texts else {}

    def projection(self, paths: Sequence[str]) -> dict[str, Any]:
        """A projection; nothing for no paths."""
        return {"ProjectionExpression": ", ".join(self.aliased(path) for path in paths)} if paths else {}

    def request(self) -> dict[str, Any]:
        """The names and values that the expressions use."""
        request: dict[str, Any] = {}
        if self._names:
            request["ExpressionAttributeNames"] = self._names
        if self._values:
            request["ExpressionAttributeValues"] = self._values
        return request
