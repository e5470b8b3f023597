"""What a call writes: single items, transactions and batches, and which condition of the pattern failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
                raise UnprocessedError(f"{self._pattern}: writes are left over")
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
            self.written.setdefault(action.item, body["Item"])
        else:
            kind = "Delete" if isinstance(action, Delete) and not isinstance(action, Check) else "ConditionCheck"
            body["Key"] = primary_key(action.key, self._scope, self._pattern)
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
