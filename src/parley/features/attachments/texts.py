"""Reads text files, whatever their names say."""

import codecs
import re
from contextlib import suppress
from pathlib import Path

from parley.features.attachments.found import RefusedFile, Text, too_much, unsupported
from parley.features.attachments.limits import TEXT_CHARS

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ENCODINGS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "gb18030", "big5", "cp932", "euc_kr")
"""Those of languages with another alphabet."""

SAMPLE_BYTES = 100_000
"""How much of a file its encoding is recognised from."""

ODD_SHARE = 50
"""Of how many characters of a text one may be a control character."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_LETTERS = re.compile(rb"[A-Za-z\x80-\xff]")
_BEYOND = re.compile(rb"[\x80-\xff]")


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
        text = content.decode(mark or "utf-8")
    except UnicodeDecodeError:
        text = _of_older_program(content)
    # A log may have a stray bell or backspace. What has many is no text.
    odd = len(_CONTROLS.findall(text))
    if odd > len(text) / ODD_SHARE:
        raise unsupported("neither a picture nor text")
    return _CONTROLS.sub("\ufffd", text) if odd else text


def _of_older_program(content: bytes) -> str:
    """Return a text in the encoding of one language. Raises RefusedFile if it is in none."""
    # In most texts of Western Europe few letters have accents; elsewhere nearly all bytes are beyond ASCII.
    letters = len(_LETTERS.findall(content))
    beyond = len(_BEYOND.findall(content))
    encoding = "cp1252"
    if beyond > letters / 2:
        # Slow to load, and few files need it.
        from charset_normalizer import from_bytes

        best = from_bytes(content[:SAMPLE_BYTES], cp_isolation=list(_ENCODINGS)).best()
        encoding = best.encoding if best else encoding
    for each in (encoding, "cp1250"):
        with suppress(UnicodeDecodeError):
            return content.decode(each)
    raise unsupported("neither a picture nor text")
