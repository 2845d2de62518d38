"""Decodes lines of JSON, most of whose values nobody needs as objects."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import astuple

from parley.features.vote_files.columns import READ

_LAZY = ("conv_metadata", "category_tag")
"""Columns that are read as JSON (`lmarena.json_cell`)."""

_READ = frozenset(READ)

decode_line = msgspec.json.Decoder(dict[str, object]).decode


class LineDecoder:
    """Decodes the lines of one file; where they have the columns of its first line, some cells stay JSON (`Raw`).

    Those are the columns that an import does not read, and two of LMArena's with dozens of numbers each: making objects
    of them takes longer than all the rest.
    """

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._typed: Callable[[bytes], Any] | None = None

    def __call__(self, line: bytes) -> dict[str, object]:
        """Decode a line. Raises DecodeError, UnicodeDecodeError and RecursionError."""
        # In text that is skipped nothing checks that it is UTF-8.
        if self._typed is None or not line.isascii():
            row = decode_line(line)
            if not self._names:
                self._learn(row)
            return row
        try:
            return dict(zip(self._names, astuple(self._typed(line)), strict=True))
        except msgspec.ValidationError:
            return decode_line(line)  # it has other columns

    def _learn(self, row: Mapping[str, object]) -> None:
        self._names = tuple(row)
        fields = [
            (f"c{at}", Raw if name in _LAZY or name not in _READ else Any) for at, name in enumerate(row)
        ]
        renamed = {f"c{at}": name for at, name in enumerate(row)}
        try:
            line = msgspec.defstruct("Line", fields, rename=renamed, forbid_unknown_fields=True, gc=False)
        except ValueError:
            return  # names with quotation marks can't be fields
        self._typed = msgspec.json.Decoder(line).decode
