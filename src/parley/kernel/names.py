"""Names that people and files give: without control characters and halves of characters, which no database can hold."""

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffc\ud800-\udfff]")
"""Controls, ends of lines, overrides of the direction, and halves of characters.

Marks that a language needs stay: U+200E, U+200F and U+061C, and the joiners of Persian, of Hindi and of emoji.
"""

_SPACES = re.compile(r"[ \t\r\n]+")

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc")
"""Letters and symbols that are drawn as nothing."""

_LOST = "\ufffd"
"""Stands in a request for a character that could not be stored."""


def control_in(name: str) -> str | None:
    """Return the first character that no name may have, as in “U+0000”; None if there is none."""
    match = _CONTROL.search(name)
    return f"U+{ord(match[0]):04X}" if match else None


def checked_name(text: str) -> str:
    """Return a name on one line with single spaces.

    Raises ValueError if it has nothing to see, or has a control character, naming that.
    """
    name = _SPACES.sub(" ", text.strip())
    if (control := control_in(name) or ("U+FFFD" if _LOST in name else None)) is not None:
        raise ValueError(f"has the control character {control}: remove it")
    name = " ".join(name.split())
    if not name:
        raise ValueError("must not be empty")
    if not any(map(_is_seen, name)):
        raise ValueError("has only characters that can't be seen")
    return name


def mended_name(text: str) -> str:
    """Return a name of somebody else's file on one line; each control character becomes U+FFFD."""
    return " ".join(_CONTROL.sub(_LOST, _SPACES.sub(" ", text)).split())


def _is_seen(character: str) -> bool:
    return character not in _FILLERS and unicodedata.category(character)[0] in "LNPS"
