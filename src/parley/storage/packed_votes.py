"""Packs the entries of imported votes column by column, in sixty bytes each."""

import zlib
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Raw

from parley.storage.audit_log import VoteEntry
from parley.storage.tables.narrow import ID_BYTES

LEVEL = 3
"""zlib's effort: a higher one takes twice the time to save a twentieth."""

BY_COLUMN = b"\x02"
"""How packed columns begin. zlib's own data begin otherwise: those of earlier versions are lines."""

LENGTH = 4
IDS = ("vote_id", "voter_id")
"""Columns that nothing makes shorter: their bytes follow the others."""

PLAIN = tuple(name for name in VoteEntry.__struct_fields__ if name not in (*IDS, "seats", "style"))
NUMBERS = tuple(
    f"{side}.{name}" for side in ("left", "right") for name in ("bold", "headers", "lists", "tokens")
)


_numbers = attrgetter(*NUMBERS)
_encode = msgspec.json.Encoder().encode


class Columns(msgspec.Struct):
    """Entries by column. `numbers` are those of votes with a style, by feature; `has_style` tells which have one."""

    plain: dict[str, list[Any]]
    has_style: list[bool]
    numbers: list[list[int]]


class ReadColumns(Columns):
    """The same, with values left as JSON."""

    plain: dict[str, list[Raw]]


_decode_columns = msgspec.json.Decoder(ReadColumns).decode


def pack_entries(entries: Sequence[VoteEntry]) -> bytes:
    """Pack the entries of votes between two sides."""
    plain = {name: [getattr(entry, name) for entry in entries] for name in PLAIN}
    styles = [entry.style for entry in entries]
    numbers = [_numbers(it) for it in styles if it is not None]
    columns = Columns(
        plain, [it is not None for it in styles], [list(it) for it in zip(*numbers, strict=True)]
    )
    data = zlib.compress(_encode(columns), LEVEL)
    ids = bytes.fromhex("".join(getattr(entry, name) for name in IDS for entry in entries))
    return BY_COLUMN + len(data).to_bytes(LENGTH, "big") + data + ids


def unpack_contents(packed: bytes) -> list[str]:
    """Return the contents of the entries that were packed. Raises ValueError for anything else."""
    try:
        if packed[:1] != BY_COLUMN:
            return zlib.decompress(packed).decode().split("\n")
        start = 1 + LENGTH
        end = start + int.from_bytes(packed[1:start], "big")
        return _contents(_decode_columns(zlib.decompress(packed[start:end])), packed[end:].hex())
    except (zlib.error, TypeError, LookupError, StopIteration, msgspec.MsgspecError) as error:
        raise ValueError(f"packed votes can't be read: {error}") from None


def _contents(columns: ReadColumns, digits: str) -> list[str]:
    votes, width = len(columns.has_style), 2 * ID_BYTES
    ids = [f'"{digits[at : at + width]}"' for at in range(0, len(digits), width)]
    texts = {name: [bytes(value).decode() for value in values] for name, values in columns.plain.items()}
    texts |= {name: ids[at * votes : (at + 1) * votes] for at, name in enumerate(IDS)}
    sides = zip(texts["left_model_id"], texts["right_model_id"], strict=True)
    texts["seats"] = [f'{{"left":{left},"right":{right}}}' for left, right in sides]
    styles = iter(zip(*columns.numbers, strict=True))
    texts["style"] = [style_text(*next(styles)) if it else "null" for it in columns.has_style]
    names = sorted(texts)
    template = "{" + ",".join(f'"{name}":%s' for name in names) + "}"
    return [template % values for values in zip(*(texts[name] for name in names), strict=True)]


def style_text(*numbers: int) -> str:
    """Return features of style as `canonical` writes them, from their numbers in the order of `NUMBERS`."""
    left, right = (
        f'{{"bold":{bold},"headers":{headers},"lists":{lists},"tokens":{tokens}}}'
        for bold, headers, lists, tokens in (numbers[:4], numbers[4:])
    )
    return f'{{"left":{left},"right":{right}}}'
