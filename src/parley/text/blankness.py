"""Blankness: whether a text shows a reader anything at all."""

import html
import unicodedata

_UNSEEN_KINDS = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Cn", "Mn", "Me"))
"""Spaces, controls, zero-width characters, and marks that need a base letter."""

_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\ufffd")
"""Letters and symbols that are drawn as nothing (Unicode's fillers, the empty Braille pattern), and placeholders."""


def is_blank(text: str) -> bool:
    """Return True if nothing of a text is visible; references such as `&nbsp;` count as their characters."""
    return not any(_is_seen(character) for character in html.unescape(text))


def _is_seen(character: str) -> bool:
    return character not in _UNSEEN and unicodedata.category(character) not in _UNSEEN_KINDS
