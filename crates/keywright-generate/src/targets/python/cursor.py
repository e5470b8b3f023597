"""Cursors: opaque texts that say where a page begins, bound to their pattern."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any, Literal, Union

from .errors import CursorError
from .operation import Item

Progress = Union[Item, Literal["start", "done"]]


@dataclass(frozen=True)
class Position:
    after: Item | None = None
    shards: list[Progress] | None = None
    offset: int | None = None


def _pack(packed: Item) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in packed.items():
        ((kind, it),) = value.items()
        values[name] = [kind, base64.b64encode(it).decode() if kind == "B" else it]
    return values


def _unpack(packed: Any) -> Item:
    refused = CursorError("the cursor can't be read")
    if not isinstance(packed, dict):
        raise refused
    item: Item = {}
    for name, pair in packed.items():
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] not in ("S", "N", "B") or not isinstance(pair[1], str):
            raise refused
        try:
            item[name] = {pair[0]: base64.b64decode(pair[1]) if pair[0] == "B" else pair[1]}
        except ValueError:
            raise refused from None
    return item


def encode_cursor(pattern: str, position: Position) -> str:
    body: dict[str, Any] = {"pattern": pattern}
    if position.after is not None:
        body["after"] = _pack(position.after)
    if position.offset is not None:
        body["offset"] = position.offset
    if position.shards is not None:
        body["shards"] = [_pack(one) if isinstance(one, dict) else one for one in position.shards]
    return base64.urlsafe_b64encode(json.dumps(body).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, pattern: str) -> Position:
    try:
        body = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        raise CursorError("the cursor can't be read") from None
    if not isinstance(body, dict) or body.get("pattern") != pattern:
        raise CursorError(f"{pattern}: the cursor belongs to another pattern")
    after, offset, shards = body.get("after"), body.get("offset"), body.get("shards")
    progress: list[Progress] | None = None
    if isinstance(shards, list):
        progress = [one if one in ("start", "done") else _unpack(one) for one in shards]
    return Position(
        after=None if after is None else _unpack(after),
        shards=progress,
        offset=offset if isinstance(offset, int) and offset >= 0 else None,
    )
