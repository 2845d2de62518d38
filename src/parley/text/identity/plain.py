"""Plain text: what a reader sees, in comparable letters."""

import re
import unicodedata

from parley.text.identity.lookalikes import LOOKALIKES

PIECE = 256
"""Characters that are normalised at a time: sorting a run of combining marks takes its length squared."""

_LONG_ONES = {0xFDFA: " ", 0xFDFB: " "}
"""Two signs that stand for whole phrases: the second is eight, the first eighteen times as long when written out."""

_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u061c\u064b-\u065f\u0670\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164"
    "\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]+"
)
"""Invisible characters, and the marks on letters."""

_SAME = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ´′", "'"),
        **dict.fromkeys("“”„«»‹›「」『』《》〈〉", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "ı": "i",
        "ł": "l",
        "đ": "d",
        "ø": "o",
        "Đ": "D",
        "Ø": "O",
        "Ł": "L",
        "。": ". ",
        "、": ", ",
        "।": ". ",
        "？": "? ",
        "؟": "? ",
        "،": ", ",
    }
)
_LATIN = str.maketrans(
    {
        other.upper() if is_capital else other: latin.upper() if is_capital else latin
        for is_capital in (True, False)
        for latin, others in LOOKALIKES.items()
        for other in others
    }
)
_FOREIGN = "".join(map(chr, _LATIN))
_MIXED = re.compile(rf"[A-Za-z{_FOREIGN}]+")
_CAPITALS = frozenset("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ")
_MARKS = re.compile(r"[*_#`]+|~~|</?(?:[a-z]{1,6}|[A-Z]{1,6})>|(?m:^[ \t]*>+)")
_MARK_SIGN = re.compile(r"[*_#`~<>]")
_SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?:([ .*_-])[^\W\d_](?:\1[^\W\d_])+)(?![^\W_])")
_SPACED_END = re.compile(r"[ .*_-][^\W\d_][ .*_-][^\W\d_](?![^\W_])")
"""The end of what `_SPACED` finds. Most texts have none, and searching for it is five times faster."""


def plain(text: str) -> str:
    """Return a text without invisible characters and formatting marks, in its simplest letters.

    Letters keep their case. Linear in the text's length.
    """
    if not text.isascii():
        text = _MIXED.sub(_in_latin, simplest(text)).translate(_SAME)
    if _MARK_SIGN.search(text):
        text = _MARKS.sub("", text)
    if _SPACED_END.search(text):
        text = _SPACED.sub(lambda match: match[0].replace(match[1], ""), text)
    return text


def simplest(text: str) -> str:
    """Return a text in compatibility letters without marks, and without invisible characters."""
    text = text.translate(_LONG_ONES)
    return "".join(map(_simplest, (text[at : at + PIECE] for at in range(0, len(text), PIECE))))


def _simplest(piece: str) -> str:
    apart = unicodedata.normalize("NFKD", piece)
    return unicodedata.normalize("NFC", _UNSEEN.sub("", apart))


def _in_latin(word: re.Match[str]) -> str:
    """Return a word in Latin letters where it has some of them already: no real word mixes scripts."""
    mixed = any(letter.isascii() or letter in _CAPITALS for letter in word[0])
    return word[0].translate(_LATIN) if mixed else word[0]
