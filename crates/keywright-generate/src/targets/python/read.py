"""What a call reads: single items, batches, and Queries whose pages are followed and whose shards are merged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .cursor import Position, Progress
from .errors import CursorError, UnprocessedError
from .operation import BatchGet, Get, Item, Operation, Order, Query, Scan, Scatter
from .scope import Scope, primary_key
from .value import alias, by_order, key_text
from .wait import BATCH_ATTEMPTS, pause

if TYPE_CHECKING:
    from .store import Store

_MOST_SHARDS_AT_ONCE = 16


@dataclass
class _Found:
    items: list[Item]
    count: int
    last: Item | None


class Reads:
    """The reads of one call."""

    def __init__(
        self, store: Store, operation: Operation, scope: Scope, limit: int | None, position: Position
    ) -> None:
        self._store = store
        self._operation = operation
        self._scope = scope
        self._limit = limit
        self._position = position
        self.count = 0
        self.next: Position | None = None

    def read(self, step: Get | Query | BatchGet | Scan, index: int) -> list[Item]:
        """The items of one step."""
        if isinstance(step, Get):
            return self._get(step)
        if isinstance(step, BatchGet):
            return self._batch_get(step)
        if isinstance(step, Scan):
            return self._scan(step, index)
        return self._query(step, index) if step.scatter is None else self._scattered(step, step.scatter, index)

    def _get(self, step: Get) -> list[Item]:
        expressions = self._store.expressions(self._scope)
        answer = self._store.client.get_item(
            TableName=self._store.table_name(step.table),
            Key=primary_key(step.key, self._scope, self._operation.pattern),
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
            self.count = result.count
        if paged and result.last is not None:
            self.next = Position(after=result.last)
        return result.items

    def _pages(self, step: Query, scope: Scope, start: Item | None, limit: int | None) -> _Found:
        """One Query, page after page, until there are enough items or no more."""
        partition = primary_key(step.partition, scope, self._operation.pattern)
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
        # DynamoDB counts what it reads before it filters: with a limit of one it would look at one item after the other.
        single = "FilterExpression" in request and step.limit == 1 and not step.paged
        result = self._follow(self._store.client.query, request, start, None if single else limit)
        if single:
            del result.items[1:]
        return result

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
        rows = scatter.rows()
        progress: list[Progress] = ["start" for _ in rows]
        if paged and self._position.shards is not None:
            progress = list(self._position.shards)
        if len(progress) != len(rows):
            raise CursorError(f"{self._operation.pattern}: the cursor was made for another number of shards")

        def shard(which: int, most: int | None) -> _Found:
            start = progress[which]
            scope = replace(self._scope, scattered=rows[which])
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
            self.count = 0
            for one in results.values():
                self.count += one.count
            return []
        items, taken = _merge(results, self._merge_order(step), limit)
        for which, one in results.items():
            count = taken[which]
            if count == len(one.items):
                progress[which] = "done" if one.last is None else one.last
            elif count > 0:
                progress[which] = self._start_after(step, one.items[count - 1])
        if paged and any(one != "done" for one in progress):
            self.next = Position(shards=progress)
        return items

    def _merge_order(self, step: Query) -> list[Order]:
        """The promised order, then that of the sort key: what an index does not project of the first is in the second."""
        promised = list(self._operation.order)
        key = self._store.table_key(step.table) if step.index is None else self._store.index_key(step.table, step.index)
        partition = [attribute for attribute, _ in step.partition]
        sort = [Order(attribute=name, descending=step.backward) for name in key if name not in partition]
        return [*promised, *sort] if promised else []

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
                if attempt == BATCH_ATTEMPTS:
                    raise UnprocessedError(f"{self._operation.pattern}: keys were not processed")
                if attempt > 0:
                    pause(attempt)
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
                primary_key(step.each, replace(self._scope, at_hand=(step.of_step, index)), self._operation.pattern)
                for index in range(len(self._scope.reads[step.of_step - 1]))
            ]
        if step.of_step is not None:
            return [{name: entry[name] for name in names} for entry in self._scope.reads[step.of_step - 1]]
        lengths = [len(value) for value in self._scope.inputs.values() if isinstance(value, list)]
        return [
            primary_key(step.each, replace(self._scope, element=element), self._operation.pattern)
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
            self.count = result.count
        if paged and result.last is not None:
            self.next = Position(after=result.last)
        return result.items


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
