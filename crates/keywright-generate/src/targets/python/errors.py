"""What can go wrong."""

from __future__ import annotations

from collections.abc import Sequence


class StoreError(Exception):
    """What a store refuses or can't do."""


class ConditionFailedError(StoreError):
    """A condition of the pattern did not hold, so nothing was written."""

    def __init__(self, pattern: str, conditions: Sequence[str], lost_race: bool) -> None:
        words = "another writer was faster" if lost_race else "; ".join(conditions) or "a condition failed"
        super().__init__(f"{pattern}: {words}")
        self.pattern = pattern
        self.conditions = list(conditions)
        self.lost_race = lost_race


class ItemNotFoundError(StoreError):
    """The item that a write starts from is not there, so nothing was written."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"{pattern}: there is no such item")
        self.pattern = pattern


class CursorError(StoreError):
    """A cursor that was not made by this method for these inputs."""


class MalformedItemError(StoreError):
    """An item that is not what its type says."""


class UnprocessedError(StoreError):
    """A batch of which DynamoDB left something over, as often as it was sent."""
