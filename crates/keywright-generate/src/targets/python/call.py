"""One call of an operation: its steps one after the other, and the answer from what they read."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import TYPE_CHECKING

from .cursor import Position, encode_cursor
from .errors import ConditionFailedError, ItemNotFoundError
from .operation import Answer, Get, Item, Operation, Query, Write
from .read import Reads
from .scope import Scope
from .value import at, by_order
from .wait import pause
from .write import Writes

if TYPE_CHECKING:
    from .store import Store

_DEFAULT_PAGE = 25


class Call:
    """One call of an operation."""

    def __init__(
        self, store: Store, operation: Operation, scope: Scope, limit: int | None, position: Position
    ) -> None:
        self._operation = operation
        self._scope = scope
        self._limit = limit
        self._position = position
        self._reads = Reads(store, operation, scope, limit, position)
        self._writes = Writes(store, operation.pattern, scope)

    def run(self) -> Answer:
        """Runs the steps and gives the answer."""
        steps, retry, pattern = self._operation.steps, self._operation.retry, self._operation.pattern
        retries = 0
        index = 0
        while index < len(steps):
            step = steps[index]
            del self._scope.reads[index:]
            if isinstance(step, Write):
                failure = self._writes.write(step)
                if failure is not None:
                    if failure.race and retry is not None and retries < retry.attempts:
                        retries += 1
                        pause(retries)
                        # Before what is repeated is reached, nothing is done yet.
                        index = 0 if index < retry.from_step - 1 else retry.from_step - 1
                        continue
                    lost_race = failure.race and not failure.conditions
                    raise ConditionFailedError(pattern, failure.conditions, lost_race)
                self._scope.reads.append([])
            else:
                items = self._reads.read(step, index + 1)
                self._scope.reads.append(items)
                # A Query that looks for a single item stands for a Get.
                if isinstance(step, Query):
                    looks_for_one = step.limit == 1 and not step.paged and not step.count
                else:
                    looks_for_one = isinstance(step, Get) and not step.may_be_absent
                ends = looks_for_one and not items
                if ends and index + 1 < len(steps):
                    if self._operation.shape != "nothing":
                        break
                    # What an earlier step found has gone meanwhile: somebody else was faster.
                    if retry is not None and index >= retry.from_step and retries < retry.attempts:
                        retries += 1
                        pause(retries)
                        index = retry.from_step - 1
                        continue
                    raise ItemNotFoundError(pattern)
            index += 1
        return self._answer()

    def _answer(self) -> Answer:
        operation = self._operation
        reads = self._scope.reads
        items = reads[operation.answer_from - 1] if operation.answer_from <= len(reads) else []
        following = self._reads.next
        if operation.client_sort:

            def ordered(a: Item, b: Item) -> int:
                return by_order(a, b, operation.order)

            items = sorted(items, key=functools.cmp_to_key(ordered))
        if operation.shape == "page" and operation.client_sort:
            start = self._position.offset or 0
            end = start + (self._limit or _DEFAULT_PAGE)
            following = Position(offset=end) if end < len(items) else None
            items = items[start:end]
        items = items[: operation.first]
        count = self._reads.count
        if operation.counter is not None:
            value = at(items[0], operation.counter) if items else None
            count = int(Decimal(value["N"])) if value is not None and "N" in value else 0
        paged = operation.shape == "page" and following is not None
        return Answer(
            items=items[:1] if operation.shape == "single" else items,
            next_cursor=encode_cursor(operation.pattern, following) if paged and following is not None else None,
            count=count,
            generated=self._scope.generated,
            written=self._writes.written,
        )
