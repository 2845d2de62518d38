"""Ids of providers and models, derived from their names."""

import re
from collections.abc import Callable

MAX_CHARS = 56
"""Leaves room for a number within the 64 characters of an id."""


def slug(text: str) -> str:
    """Return a text as an id: lower-case letters, digits, dots, dashes and underscores."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")[:MAX_CHARS] or "model"


def free_id(wanted: str, is_taken: Callable[[str], bool]) -> str:
    """Return an unused id: the requested one, or that with a number."""
    number, candidate = 1, wanted
    while is_taken(candidate):
        number += 1
        candidate = f"{wanted}-{number}"
    return candidate
