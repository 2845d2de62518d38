"""Reads text files, whatever their names say."""

import codecs
import re
from pathlib import Path

import msgspec

from parley.features.attachments.encodings import decoded, marked, recognise
from parley.features.attachments.file_content import RefusedFile, Text, too_much, unsupported
from parley.features.attachments.limits import TEXT_CHARS
from parley.kernel.messages import PLAIN_TEXT

PREVIEW_CHARS = 40_000
"""The beginning of a table that is too long for a model: tools read all of it."""
SAMPLE_CHARS, SAMPLE_LINES = 100_000, 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # which begins as the mark of UTF-16 does
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

DAMAGED_SHARE = 20
"""Of how many characters beyond ASCII one may be damaged in a text that still counts as UTF-8."""

ODD_SHARE = 50
"""Of how many characters of a text one may be a control character."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BEYOND = re.compile(r"[^\x00-\x7f]")


def read_text(path: Path, folder: Path, encoding: str | None = None) -> Text:
    """Write a text file into a folder, in UTF-8. Raises RefusedFile if it is not text, or not in this encoding."""
    content = path.read_bytes()
    if not content.strip():
        raise RefusedFile("is empty.", "Attach a file that has content.", code="attachment_damaged")
    text, encoding = (decoded(content, encoding), encoding) if encoding else _recognised(content)
    if text is None and encoding:
        raise RefusedFile("is not in this encoding.", "Choose another one.", code="attachment_unsupported")
    if text is None:
        raise unsupported("neither a picture nor text")
    # A log may have a stray bell or backspace. What has many is no text.
    odd = len(_CONTROLS.findall(text))
    if odd > len(text) / ODD_SHARE:
        raise unsupported("neither a picture nor text")
    text = _CONTROLS.sub("\ufffd", text) if odd else text
    return msgspec.structs.replace(write_text(text, "text/plain", folder), encoding=encoding)


def write_text(text: str, media_type: str, folder: Path, *, pages: int | None = None) -> Text:
    """Write a text into a folder. Raises RefusedFile if it is too long."""
    text = text.replace("\r\n", "\n").replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    if len(text) > TEXT_CHARS and media_type == PLAIN_TEXT and is_table(text):
        text = _beginning(text)
    if len(text) > TEXT_CHARS:
        raise too_much(
            f"has {len(text):,} characters of text; the limit is {TEXT_CHARS:,}.",
            "Attach the part that matters.",
        )
    (folder / "text").write_text(text, encoding="utf-8", newline="")
    return Text(media_type, "text", len(text), pages)


def is_table(text: str) -> bool:
    """Return whether a text is rows of one form: CSV with any usual delimiter, or a JSON object a line."""
    lines = [line for line in text[:SAMPLE_CHARS].split("\n")[:-1] if line][:SAMPLE_LINES]
    if len(lines) < SAMPLE_LINES:
        return False
    if all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        return True
    return any(
        lines[0].count(mark) > 0
        and sum(line.count(mark) == lines[0].count(mark) for line in lines) * 10 >= len(lines) * 9
        for mark in ",;\t|"
    )


def _beginning(text: str) -> str:
    """Return the first rows of a long table, which are all that a model without tools reads."""
    rows, shown = text.count("\n"), text[:PREVIEW_CHARS].rpartition("\n")[0]
    return f"{shown}\n[These are the first {shown.count(chr(10)) + 1:,} of {rows:,} lines.]\n"


def _recognised(content: bytes) -> tuple[str | None, str | None]:
    """Return a text and the encoding in which it was read: None if the file itself says it, or is UTF-8."""
    mark = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)
    encoding = None if mark else marked(content)
    if encoding is None and (text := decoded(content, mark or "utf-8")) is not None:
        return text, None
    if encoding is None:
        text = content.decode(errors="replace")
        if text.count("\ufffd") * DAMAGED_SHARE <= len(_BEYOND.findall(text)):
            return text, "utf-8"
        encoding = recognise(content)
    return (decoded(content, encoding) if encoding else None), encoding
