"""Keys: templates such as ``ORDER#<placedAt:iso>#<orderId>`` and the encodings that keep the order of values.

Values come in as text, the way that people write them; a value can never change the shape of a key.
"""

from __future__ import annotations

import datetime
import math
import re
import secrets
import struct
from collections.abc import Callable
from typing import Optional

Lookup = Callable[[str], Optional[str]]
"""What a placeholder stands for, as text; None where it is absent."""

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MAX_BYTES = 2048
PIECE = re.compile(r"<([^>:]*)(?::([^>]*))?>")
ENCODING = re.compile(r"([a-z]*)([0-9.]*)(?:\((.*)\))?")
_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


class InvalidKeyError(ValueError):
    """A value that can't stand in a key, or a template that can't be read."""


def build_key(template: str, lookup: Lookup) -> str | None:
    """The key of a template, or None where one of its values is absent."""
    return _build(template, lookup, goes_on=False)


def build_bound(template: str, lookup: Lookup) -> str | None:
    """A leading part of a key, as the bound of a range: its last text is escaped as in the middle of a key.

    A ``$`` at the end closes an inclusive upper bound: it is the byte after the separator.
    """
    closed = template.endswith(">$")
    built = _build(template[:-1] if closed else template, lookup, goes_on=True)
    return None if built is None else built + ("$" if closed else "")


def _build(template: str, lookup: Lookup, *, goes_on: bool) -> str | None:
    key = ""
    at = 0
    for piece in PIECE.finditer(template):
        key += template[at : piece.start()]
        at = piece.end()
        text = lookup(piece[1])
        if text is None:
            return None
        if at < len(template):
            follower = "" if template[at] == "<" else template[at]
        else:
            follower = "#" if goes_on else ""
        try:
            key += encode(piece[2] or "", text, follower)
        except InvalidKeyError as error:
            raise InvalidKeyError(f"`{template}`, `{piece[1]}`: {error}") from None
    key += template[at:]
    size = len(key.encode())
    if not 0 < size <= _MAX_BYTES:
        raise InvalidKeyError(f"`{template}`: {size} bytes; a key has 1 to {_MAX_BYTES}")
    return key


def encode(encoding: str, text: str, follower: str) -> str:
    """A value as it stands in a key before the character ``follower``, or at the key's end if that is empty."""
    match = ENCODING.fullmatch(encoding)
    if match is None:
        raise InvalidKeyError(f"there is no encoding `{encoding}`")
    letters, numbers, listed = match.groups()
    descending = len(letters) > 4 and letters.endswith("desc")
    family = letters[:-4] if descending else letters
    if family in ("", "text"):
        return _escape(text, follower)
    if family in ("pad", "desc"):
        return _unsigned(text, int(numbers), family == "desc")
    if family == "int":
        return _signed(_integer(text), int(numbers), descending)
    if family == "dec":
        digits, _, scale = numbers.partition(".")
        return _decimal(text, int(digits), int(scale), descending)
    if family == "float":
        return _float(text, descending)
    if family == "bool":
        if text not in ("true", "false"):
            raise InvalidKeyError(f'"{text}" is not `true` or `false`')
        return "0" if (text == "true") == descending else "1"
    if family in ("iso", "isos", "isou"):
        return _iso(text, {"iso": 3, "isos": 0, "isou": 6}[family], descending)
    if family in ("epochs", "epochms"):
        width, unit = (12, 10**9) if family == "epochs" else (15, 10**6)
        return _epoch(text, width, unit, descending)
    if family == "date":
        if not _is_date(text):
            raise InvalidKeyError(f'"{text}" is not a date')
        return complement(text) if descending else text
    if family in ("y", "ym", "ymd", "ymdh"):
        return _bucket(text, {"y": 4, "ym": 7, "ymd": 10, "ymdh": 13}[family])
    if family == "shard":
        count = int(numbers)
        return str(shard_of(text, count)).zfill(len(str(count - 1)))
    if family == "ulid":
        return _in_canonical_form(text, "ulid", CROCKFORD, 26, 128, descending)
    if family == "ksuid":
        return _in_canonical_form(text, "ksuid", BASE62, 27, 160, descending)
    if family == "uuid":
        return _uuid(text, descending)
    if family in ("enum", "enumname"):
        return _enumeration(text, listed, family == "enumname", descending, follower)
    raise InvalidKeyError(f"there is no encoding `{encoding}`")


def _escape(text: str, follower: str) -> str:
    """Free text: before a ``#`` every byte up to ``$`` is written as ``$`` and one character, so that the order of
    texts is the order of keys; at the end of a key only ``#`` and ``$`` are."""
    if follower not in ("", "#", "@"):
        most = max("#", follower)
        for character in text:
            if character <= most:
                raise InvalidKeyError(f'"{character}" would change the shape or the order of the key')
        return text
    escaped = []
    for character in text:
        if follower == "":
            escapes = character in "#$"
        else:
            escapes = character <= "$" or (follower == "@" and character == "@")
        if escapes:
            escaped.append("$" + ("a" if character == "@" else ALPHABET[ord(character)]))
        else:
            escaped.append(character)
    return "".join(escaped)


def _integer(text: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]+", text) is None:
        raise InvalidKeyError(f'"{text}" is not an integer')
    return int(text)


def _unsigned(text: str, width: int, descending: bool) -> str:
    value = _integer(text)
    most = 10**width - 1
    if not 0 <= value <= most:
        raise InvalidKeyError(f"{value} is outside 0 to {most}")
    return str(most - value if descending else value).zfill(width)


def _signed(value: int, width: int, descending: bool) -> str:
    offset = 10**width
    if not -offset < value < offset:
        raise InvalidKeyError(f"{value} is outside {1 - offset} to {offset - 1}")
    return str(offset - value if descending else offset + value).zfill(width + 1)


def _decimal(text: str, width: int, scale: int, descending: bool) -> str:
    match = re.fullmatch(r"([+-]?)([0-9]+)(?:\.([0-9]+))?", text)
    if match is None:
        raise InvalidKeyError(f'"{text}" is not a decimal')
    fraction = (match[3] or "").rstrip("0")
    if len(fraction) > scale:
        raise InvalidKeyError(f"{text} has more digits than the key keeps")
    units = int(match[2] + fraction.ljust(scale, "0"))
    written = _signed(-units if match[1] == "-" else units, width, descending)
    return f"{written[:-scale]}.{written[-scale:]}" if scale > 0 else written


def _float(text: str, descending: bool) -> str:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidKeyError("a float in a key must be finite")
    (bits,) = struct.unpack(">Q", struct.pack(">d", value + 0.0))
    everything, sign = 2**64 - 1, 2**63
    ordered = bits | sign if bits & sign == 0 else bits ^ everything
    return format(ordered ^ everything if descending else ordered, "016x")


def complement(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "9876543210"))


def _is_date(text: str) -> bool:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is None:
        return False
    return _days(int(text[:4]), int(text[5:7]), int(text[8:])) is not None


def _days(year: int, month: int, day: int) -> int | None:
    """Days since 1970; the year 0, which Python's calendar lacks, is as long as the year 400."""
    shift = 0
    if year == 0:
        year, shift = 400, -146_097
    try:
        return datetime.date(year, month, day).toordinal() - 719_163 + shift
    except ValueError:
        return None


def _instant(text: str) -> int:
    """An instant in nanoseconds since 1970."""
    refused = InvalidKeyError(f'"{text}" is not an RFC 3339 instant')
    match = _INSTANT.fullmatch(text)
    if match is None or not _is_date(match[1]):
        raise refused
    days = _days(int(match[1][:4]), int(match[1][5:7]), int(match[1][8:]))
    hour, minute, second = int(match[2]), int(match[3]), int(match[4])
    if days is None or hour > 23 or minute > 59 or second > 59:
        raise refused
    seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    zone = match[6]
    if len(zone) > 1:
        hours, minutes = int(zone[1:3]), int(zone[4:])
        if hours > 23 or minutes > 59:
            raise refused
        offset = hours * 3600 + minutes * 60
        seconds += -offset if zone[0] == "+" else offset
    if not -62_167_219_200 <= seconds <= 253_402_300_799:
        raise refused
    return seconds * 10**9 + int((match[5] or "").ljust(9, "0"))


def calendar(seconds: int) -> str:
    """``2024-01-15T10:30:00``, of whole seconds since 1970."""
    days, rest = divmod(seconds, 86_400)
    ordinal = days + 719_163
    year = 0
    if ordinal < 1:
        # The year 0 is written with the calendar of the year 400.
        date = datetime.date.fromordinal(ordinal + 146_097)
    else:
        date = datetime.date.fromordinal(ordinal)
        year = date.year
    return f"{year:04}-{date.month:02}-{date.day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def _iso(text: str, digits: int, descending: bool) -> str:
    seconds, fraction = divmod(_instant(text), 10**9)
    kept = str(fraction).zfill(9)
    if kept[digits:].strip("0"):
        raise InvalidKeyError(f"{text} has more digits than the key keeps")
    written = calendar(seconds) + (f".{kept[:digits]}" if digits else "") + "Z"
    return complement(written) if descending else written


def _epoch(text: str, width: int, unit: int, descending: bool) -> str:
    nanos = _instant(text)
    if nanos % unit != 0:
        raise InvalidKeyError(f"{text} has more digits than the key keeps")
    if nanos < 0:
        raise InvalidKeyError(f"{text} is before 1970")
    value = nanos // unit
    return str(10**width - 1 - value if descending else value).zfill(width)


def _bucket(text: str, width: int) -> str:
    whole = text + "0000-01-01T00"[len(text) :]
    if len(text) == width and _is_date(whole[:10]):
        if width < 13 or re.fullmatch(r"T([01][0-9]|2[0-3])", text[10:]) is not None:
            return text
    if width < 13 and _is_date(text):
        return text[:width]
    return calendar(_instant(text) // 10**9)[:width]


def shard_of(text: str, count: int) -> int:
    """The shard of a text: FNV-1a over its UTF-8 bytes, mixed, modulo the number of shards."""
    mask = 2**32 - 1
    value = 2_166_136_261
    for byte in text.encode():
        value = ((value ^ byte) * 16_777_619) & mask
    value ^= value >> 16
    value = (value * 0x85EBCA6B) & mask
    value ^= value >> 13
    value = (value * 0xC2B2AE35) & mask
    value ^= value >> 16
    return value % count


def in_base(value: int, alphabet: str, width: int) -> str:
    text = ""
    while value > 0:
        value, digit = divmod(value, len(alphabet))
        text = alphabet[digit] + text
    return text.rjust(width, alphabet[0])


def _in_canonical_form(text: str, kind: str, alphabet: str, width: int, bits: int, descending: bool) -> str:
    value = 0
    for character in text:
        value = value * len(alphabet) + alphabet.find(character)
    if len(text) != width or any(character not in alphabet for character in text) or value >= 1 << bits:
        raise InvalidKeyError(f'"{text}" is not a {kind} in its canonical form')
    return in_base((1 << bits) - 1 - value, alphabet, width) if descending else text


def _uuid(text: str, descending: bool) -> str:
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text) is None:
        raise InvalidKeyError(f'"{text}" is not a uuid in its canonical form')
    return hyphenated(2**128 - 1 - int(text.replace("-", ""), 16)) if descending else text


def hyphenated(value: int) -> str:
    digits = format(value, "032x")
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _enumeration(name: str, listed: str | None, by_name: bool, descending: bool, follower: str) -> str:
    if listed is None:
        raise InvalidKeyError("no values are declared, so they have no order")
    values = [value.strip() for value in listed.split(",")]
    if name not in values:
        raise InvalidKeyError(f'"{name}" is not a declared value')
    if by_name and not descending:
        return _escape(name, follower)
    rank = sum(value.encode() < name.encode() for value in values) if by_name else values.index(name)
    last = len(values) - 1
    return str(last - rank if descending else rank).zfill(len(str(last)))


def new_ulid(millis: int) -> str:
    """A new ULID."""
    return in_base((millis << 80) | secrets.randbits(80), CROCKFORD, 26)


def new_uuid(millis: int) -> str:
    """A new UUID, version 7."""
    return hyphenated((millis << 80) | (7 << 76) | (secrets.randbits(12) << 64) | (2 << 62) | secrets.randbits(62))


def new_ksuid(millis: int) -> str:
    """A new KSUID."""
    return in_base(((millis // 1000 - 1_400_000_000) << 128) | secrets.randbits(128), BASE62, 27)
