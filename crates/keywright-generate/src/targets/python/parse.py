"""From a key back to the values that it was built from: the exact inverse, but for buckets and shards."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence

from .key import (
    ALPHABET,
    BASE62,
    CROCKFORD,
    ENCODING,
    PIECE,
    InvalidKeyError,
    calendar,
    complement,
    encode,
    hyphenated,
    in_base,
)

_LOSSY = ("y", "ym", "ymd", "ymdh", "shard")
_WIDTHS = {
    "float": 16,
    "bool": 1,
    "iso": 24,
    "isos": 20,
    "isou": 27,
    "epochs": 12,
    "epochms": 15,
    "date": 10,
    "y": 4,
    "ym": 7,
    "ymd": 10,
    "ymdh": 13,
    "ulid": 26,
    "uuid": 36,
    "ksuid": 27,
}


def parse_key(template: str, key: str) -> dict[str, str] | None:
    """The values of a key as texts, or None where it is no key of the template.

    A bucket and a shard can't be undone: they come back as they stand in the key.
    """
    values: dict[str, str] = {}
    kept: list[tuple[str, _Encoding, str, str]] = []
    at = 0
    for piece in PIECE.finditer(template):
        literal = template[at : piece.start()]
        if not key.startswith(literal):
            return None
        key = key[len(literal) :]
        at = piece.end()
        follower = template[at : at + 1].replace("<", "")
        encoding = _Encoding(piece[2] or "")
        width = encoding.width()
        if width is None:
            width = len(key) if follower == "" else key.find(follower)
        if not 0 <= width <= len(key):
            return None
        written, key = key[:width], key[width:]
        value = encoding.value(written, follower)
        if value is None:
            return None
        if encoding.family in _LOSSY:
            kept.append((piece[1], encoding, written, follower))
        elif values.setdefault(piece[1], value) != value:
            return None
    for name, encoding, written, follower in kept:
        if name in values and not encoding.writes(values[name], written, follower):
            return None
        values.setdefault(name, written)
    return values if key == template[at:] else None


class _Encoding:
    """How a value is written."""

    def __init__(self, text: str) -> None:
        match = ENCODING.fullmatch(text)
        if match is None:
            raise InvalidKeyError(f"there is no encoding `{text}`")
        self.text = text
        self.descending = match[1].endswith("desc")
        self.family = match[1].removesuffix("desc") or ("pad" if self.descending else "")
        numbers = [int(number) for number in match[2].split(".") if number] + [0, 0]
        self.digits, self.scale = numbers[0], numbers[1]
        self.values = [value.strip() for value in (match[3] or "").split(",")]

    def width(self) -> int | None:
        """How many characters it takes; None where that depends on the value."""
        if self.family == "pad":
            return self.digits
        if self.family == "int":
            return self.digits + 1
        if self.family == "dec":
            return self.digits + (2 if self.scale else 1)
        if self.family == "shard":
            return len(str(self.digits - 1))
        if self.family == "enum" or (self.family == "enumname" and self.descending):
            return len(str(len(self.values) - 1))
        return _WIDTHS.get(self.family)

    def value(self, written: str, follower: str) -> str | None:
        """A value from how it is written; None where nothing is written so."""
        if self.family == "shard":
            return written if re.fullmatch("[0-9]+", written) and int(written) < self.digits else None
        try:
            value = self._undone(written)
        except (ValueError, IndexError, OverflowError):
            return None
        return value if self.writes(value, written, follower) else None

    def writes(self, value: str, written: str, follower: str) -> bool:
        """Whether a value is written so, and not only in a way that could be read as it."""
        try:
            return encode(self.text, value, follower) == written
        except InvalidKeyError:
            return False

    def _undone(self, written: str) -> str:
        family, descending = self.family, self.descending
        if family in ("", "text") or (family == "enumname" and not descending):
            return _unescape(written)
        if family == "pad":
            return str(10**self.digits - 1 - int(written) if descending else int(written))
        if family in ("int", "dec"):
            units = int(written.replace(".", "")) - 10**self.digits
            return _point(-units if descending else units, self.scale)
        if family == "float":
            return _float(written, descending)
        if family == "bool":
            return "true" if (written == "1") != descending else "false"
        if family in ("epochs", "epochms"):
            width, unit = (12, 1) if family == "epochs" else (15, 1000)
            value = 10**width - 1 - int(written) if descending else int(written)
            millis = "" if unit == 1 else f".{value % unit:03}"
            return f"{calendar(value // unit)}{millis}Z"
        if family in ("enum", "enumname"):
            listed = self.values if family == "enum" else sorted(self.values, key=str.encode)
            return listed[len(listed) - 1 - int(written) if descending else int(written)]
        if not descending:
            return written
        if family == "uuid":
            return hyphenated(2**128 - 1 - int(written.replace("-", ""), 16))
        if family in ("ulid", "ksuid"):
            alphabet, bits = (CROCKFORD, 128) if family == "ulid" else (BASE62, 160)
            return in_base(2**bits - 1 - _from_base(written, alphabet), alphabet, len(written))
        return complement(written)


def _unescape(written: str) -> str:
    def sign(match: re.Match[str]) -> str:
        return "@" if match[1] == "a" else chr(ALPHABET.index(match[1]))

    return re.sub(r"\$(.?)", sign, written, flags=re.DOTALL)


def _point(units: int, scale: int) -> str:
    text = str(abs(units)).zfill(scale + 1)
    fraction = text[len(text) - scale :].rstrip("0") if scale else ""
    return ("-" if units < 0 else "") + text[: len(text) - scale] + (f".{fraction}" if fraction else "")


def _float(written: str, descending: bool) -> str:
    every, sign = 2**64 - 1, 1 << 63
    ordered = int(written, 16) ^ (every if descending else 0)
    bits = ordered ^ (sign if ordered & sign else every)
    (value,) = struct.unpack(">d", struct.pack(">Q", bits))
    return repr(value)


def _from_base(text: str, alphabet: Sequence[str]) -> int:
    value = 0
    for character in text:
        value = value * len(alphabet) + alphabet.index(character)
    return value
