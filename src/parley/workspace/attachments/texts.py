"""Reads text files, whatever their names say."""

import codecs
from pathlib import Path

from parley.workspace.attachments.found import RefusedFile, Text, too_much, unsupported
from parley.workspace.attachments.limits import TEXT_CHARS

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\f\r\x1b")


def read_text(path: Path, folder: Path) -> Text:
    """Write a text file into a folder, in UTF-8. Raises RefusedFile if it is not text."""
    content = path.read_bytes()
    if not content.strip():
        raise RefusedFile("is empty.", "Attach a file that has content.", code="attachment_damaged")
    return write_text(_decoded(content), "text/plain", folder)


def write_text(text: str, media_type: str, folder: Path, *, pages: int | None = None) -> Text:
    """Write a text into a folder. Raises RefusedFile if it is too long."""
    text = text.replace("\r\n", "\n").replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    if len(text) > TEXT_CHARS:
        raise too_much(
            f"has {len(text):,} characters of text; the limit is {TEXT_CHARS:,}.",
            "Attach the part that matters.",
        )
    (folder / "text").write_text(text, encoding="utf-8", newline="")
    return Text(media_type, "text", len(text), pages)


def _decoded(content: bytes) -> str:
    mark = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)
    try:
        if mark is None and _CONTROLS.intersection(content):
            raise unsupported("neither a picture nor text")
        return content.decode(mark or "utf-8")
    except UnicodeDecodeError:
        # What older programs write: every byte that is a letter there stands for one.
        try:
            return content.decode("cp1252")
        except UnicodeDecodeError:
            raise unsupported("neither a picture nor text") from None
