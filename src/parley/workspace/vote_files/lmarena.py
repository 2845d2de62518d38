"""Categories from LMArena's own columns: language, code, turns and tags."""

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from parley.text.categories.categorise import LANGUAGE_PREFIX, MULTI_TURN
from parley.text.categories.language import LANGUAGES
from parley.workspace.vote_files.columns import Row
from parley.workspace.vote_files.conversations import json_cell

LANGUAGE_CHARS = 64
"""Longer than the name of any language."""

HARD_CRITERIA = 6
"""LMArena calls a prompt hard that meets so many of its seven criteria."""

_TAGS = {
    "math_v0.1": ("math", "maths"),
    "if_v0.1": ("if", "instruction-following"),
    "creative_writing_v0.1": ("creative_writing", "creative-writing"),
}
_LANGUAGES = {name.lower(): code for code, name in LANGUAGES.items()} | {code: code for code in LANGUAGES}


def lmarena_categories(row: Row) -> frozenset[str]:
    """Return the categories that LMArena's columns state."""
    language = row.get("language")
    found = _categories(
        language[:LANGUAGE_CHARS] if isinstance(language, str) else "",
        row.get("is_code") in (True, "true", "True"),
        _is_multi_turn(row.get("turn")),
    )
    tags = row.get("category_tag")
    tags = json_cell(tags) if tags else None
    return found | _tagged(cast("Mapping[str, object]", tags)) if isinstance(tags, Mapping) else found


def short_number(value: object) -> str:
    """Return a number, or its text in a file, as short text; whole numbers without a point."""
    return "" if value is None else str(value)[:20].removesuffix(".0")


def _is_multi_turn(turns: object) -> bool:
    try:
        return float(short_number(turns)) > 1
    except ValueError:
        return False


@lru_cache(4096)
def _categories(language: str, code: bool, multi_turn: bool) -> frozenset[str]:
    spoken = _LANGUAGES.get(language.lower())
    stated = {LANGUAGE_PREFIX + (spoken or ""): spoken, "coding": code, MULTI_TURN: multi_turn}
    return frozenset(category for category, is_stated in stated.items() if is_stated)


def _tagged(tags: Mapping[str, object]) -> set[str]:
    found: set[str] = set()
    for group, (flag, category) in _TAGS.items():
        tag = tags.get(group)
        if isinstance(tag, Mapping) and cast("Mapping[str, object]", tag).get(flag) is True:
            found.add(category)
    criteria = tags.get("criteria_v0.1")
    if isinstance(criteria, Mapping):
        met = sum(value is True for value in cast("Mapping[str, object]", criteria).values())
        found |= {"hard-prompts"} if met >= HARD_CRITERIA else set()
    return found
