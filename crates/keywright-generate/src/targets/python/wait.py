"""Waiting between attempts."""

from __future__ import annotations

import random
import time

BATCH_ATTEMPTS = 8
"""How often a batch is sent before what is left of it is an error."""


def longest_pause(attempt: int) -> float:
    """The longest wait before an attempt, in seconds: it doubles with every attempt, up to two seconds."""
    return min(0.025 * float(2**attempt), 2.0)


def pause(attempt: int) -> None:
    """Waits a random part of the longest time."""
    time.sleep(random.random() * longest_pause(attempt))
