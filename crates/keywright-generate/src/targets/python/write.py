"""What a call writes: single items, transactions and batches, and which condition of the pattern failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from .errors import UnprocessedError
from .operation import Action, Check, Clause, Delete, Item, Put, Update, Write
from .scope import Expressions, Scope, primary_key
from .value import alias, key_text, put
from .wait import BATCH_ATTEMPTS, pause

if TYPE_CHECKING:
    from .store import Store


@dataclass(frozen=True)
class _Ready:
    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    body: dict[str, Any]
    fails_as: str | None
    on_reads: bool
    adds: Sequence[str] | None = None
    """The aliases of what an update adds that is repeated for every item."""


@dataclass(frozen=True)
class Failure:
    """Which conditions of the pattern failed; a race where what failed was read by an earlier step."""

    conditions: list[str]
    race: bool


class Writes:
    """The writes of one call."""

    def __init__(self, store: Store, pattern: str, scope: Scope) -> None:
        self._store = store
        self._pattern = pattern
        self._scope = scope
        self.written: dict[str, Item] = {}
        """The first item of each type that was put."""

    def write(self, step: Write) -> Failure | None:
        """Writes what a step says; what failed, if a condition did."""
        if step.mode == "batch":
            for portion in _chunks(self._ready(step.actions), 25):
                self._write_batch(portion)
            return None
        if step.mode == "transaction":
            failures = (self._transact(portion) for portion in self._transactions(step.actions))
        else:
            failures = (self._write_one(one) for one in self._ready(step.actions))
        return next((failure for failure in failures if failure is not None), None)

    def _transactions(self, actions: Sequence[Action]) -> list[list[_Ready]]:
        """The transactions that actions take: where all are repeated, what belongs to one item is in one of them."""
        each = actions[0].each if actions else None
        if each is None or any(action.each != each for action in actions):
            return _chunks(_met(self._ready(actions)), _TRANSACTION_ACTIONS)
        portions: list[list[_Ready]] = []
        for index in range(len(self._scope.reads[each - 1])):
            item = [one for action in actions for one in self._for_item(action, each, index)]
            last = portions[-1] if portions else None
            if last is not None:
                added = [one for one in item if not any(_is_repeated(one, other) for other in last)]
                if len(last) + len(added) <= _TRANSACTION_ACTIONS:
                    for one in item:
                        _join(last, one)
                    continue
            portions.append(_met(item))
        return portions

    def _write_one(self, one: _Ready) -> Failure | None:
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

    def _transact(self, ready: Sequence[_Ready]) -> Failure | None:
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
                return Failure([], race=True)
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
            if attempt == BATCH_ATTEMPTS:
                raise UnprocessedError(f"{self._pattern}: writes were not processed")
            if attempt > 0:
                pause(attempt)
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
                ready.extend(self._for_item(action, action.each, index))
        return ready

    def _for_item(self, action: Action, step: int, index: int) -> list[_Ready]:
        self._scope.at_hand = (step, index)
        try:
            return self._one(action)
        finally:
            self._scope.at_hand = None

    def _one(self, action: Action) -> list[_Ready]:
        if not isinstance(action, Update) and any(value(self._scope) is None for value in action.when):
            return []
        expressions = self._store.expressions(self._scope)
        body: dict[str, Any] = {"TableName": self._store.table_name(action.table)}
        kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
        adds: Sequence[str] | None = None
        if isinstance(action, Put):
            kind = "Put"
            body["Item"] = self._put_item(action)
            self.written.setdefault(action.item, body["Item"])
        else:
            kind = "Delete" if isinstance(action, Delete) and not isinstance(action, Check) else "ConditionCheck"
            body["Key"] = primary_key(action.key, self._scope, self._pattern)
            change = self._change(action, expressions) if isinstance(action, Update) else None
            if change is not None:
                kind = "Update"
                body["UpdateExpression"], added = change
                adds = None if action.each is None else added
        condition = expressions.all("ConditionExpression", action.condition)
        if kind == "ConditionCheck" and not condition:
            return []
        body.update(condition)
        body.update(expressions.request())
        return [_Ready(kind, body, action.fails_as, action.on_reads, adds)]

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

    def _change(self, action: Update, expressions: Expressions) -> tuple[str, list[str]] | None:
        """The update expression, and the aliases of what it adds; None where nothing is left of it."""
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
        added = expressions.clauses(action.add)
        for word, clauses in (
            ("SET", assigned),
            ("REMOVE", removed),
            ("ADD", added),
            ("DELETE", expressions.clauses(action.delete)),
        ):
            if clauses:
                parts.append(f"{word} {', '.join(clauses)}")
        return (" ".join(parts), re.findall(r":v\d+", " ".join(added))) if parts else None


_TRANSACTION_ACTIONS = 100
"""The actions of which a transaction takes no more."""


def _chunks(ready: Sequence[_Ready], size: int) -> list[list[_Ready]]:
    return [list(ready[start : start + size]) for start in range(0, len(ready), size)]


def _met(ready: Sequence[_Ready]) -> list[_Ready]:
    """One action per item, as a transaction wants it."""
    all_: list[_Ready] = []
    for one in ready:
        _join(all_, one)
    return all_


def _join(all_: list[_Ready], one: _Ready) -> None:
    """Adds an action to a transaction. A Delete and a Put that meet on one item are that Put under the Delete's
    condition: they meet where a unique value, or a part of a key, is replaced by itself. Repeated updates are one that
    adds all."""
    for index, other in enumerate(all_):
        if _is_repeated(one, other):
            all_[index] = _together(other, one)
            return
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


def _is_repeated(one: _Ready, other: _Ready) -> bool:
    """Whether two are the same update of the same item, repeated."""
    both = one.adds is not None and other.adds is not None
    return both and all(one.body[name] == other.body[name] for name in ("TableName", "Key"))


def _together(one: _Ready, other: _Ready) -> _Ready:
    """An update that adds what two of them add."""
    values = dict(one.body["ExpressionAttributeValues"])
    for name in one.adds or ():
        more = other.body["ExpressionAttributeValues"][name]["N"]
        values[name] = {"N": str(int(values[name]["N"]) + int(more))}
    return replace(one, body={**one.body, "ExpressionAttributeValues": values})


def _failed(actions: Sequence[_Ready]) -> Failure:
    return Failure(
        conditions=[one.fails_as for one in actions if one.fails_as is not None],
        # What an earlier step read may have changed since, unless a condition of the pattern itself failed.
        race=any(one.fails_as is None or one.on_reads for one in actions),
    )


def _error_code(error: Exception) -> str | None:
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code) if code is not None else None
