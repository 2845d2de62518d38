"""A file in UTF-16, as Excel's “Unicode text” and PowerShell write it, read as UTF-8."""

import codecs
import io
from typing import BinaryIO

from parley.kernel.errors import Invalid

MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

PIECE_BYTES = 1 << 16


class Recoded(io.RawIOBase):
    """The bytes of a UTF-16 file in UTF-8. Raises Invalid if it is damaged. At most one piece is in memory."""

    def __init__(self, file: BinaryIO, name: str, encoding: str) -> None:
        super().__init__()
        self._file, self._name = file, name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._rest = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "bytearray | memoryview", /) -> int:  # type: ignore[override]
        """Fill a buffer as far as possible; return 0 at the end."""
        while not self._rest:
            piece = self._file.read(PIECE_BYTES)
            try:
                self._rest = self._decoder.decode(piece, final=not piece).encode()
            except UnicodeError:
                raise Invalid(
                    "file",
                    f"{self._name} is damaged UTF-16 text.",
                    "Save it again, as “CSV UTF-8” if your program offers that.",
                ) from None
            if not piece:
                break
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)
