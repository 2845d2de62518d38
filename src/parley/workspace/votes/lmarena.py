"""LMArena's own columns: what their tags, languages and conversations say of a vote."""

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

import msgspec

from parley.text.categories.categorise import LANGUAGE_PREFIX, MULTI_TURN
from parley.text.categories.language import LANGUAGES
from parley.workspace.votes.limits import VALUES
from parley.workspace.votes.reply_style import text_of
from parley.workspace.votes.rows import Row

REMEMBERED_CHARS = 1024
"""Tags and descriptions of models come again and again and are shorter; a longer cell is a text of its own."""
LANGUAGE_CHARS = 64
"""No language has a longer name."""

_TAGS = {
    "math_v0.1": ("math", "maths"),
    "if_v0.1": ("if", "instruction-following"),
    "creative_writing_v0.1": ("creative_writing", "creative-writing"),
}
_LANGUAGES = {name.lower(): code for code, name in LANGUAGES.items()} | {code: code for code in LANGUAGES}


def tagged(row: Row) -> frozenset[str]:
    """Return what LMArena's own columns say of categories."""
    language = row.get("language")
    found = _told(
        language[:LANGUAGE_CHARS] if isinstance(language, str) else "",
        row.get("is_code") in (True, "true", "True"),
        _several(row.get("turn")),
    )
    tags = row.get("category_tag")
    tags = document_of(tags) if tags else None
    if tags and isinstance(tags, Mapping):
        return found | _categories_of_tags(cast("Mapping[str, object]", tags))
    return found


def _several(turns: object) -> bool:
    """Tell whether a number of turns, which files also write as text, is more than one."""
    try:
        return float(plain(turns)) > 1
    except ValueError:
        return False


@lru_cache(4096)
def _told(language: str, code: bool, turns: bool) -> frozenset[str]:
    """Return the categories of a language's name, of whether it is about code, and of whether there are more turns."""
    found: set[str] = set()
    if spoken := _LANGUAGES.get(language.lower()):
        found.add(LANGUAGE_PREFIX + spoken)
    if code:
        found.add("coding")
    if turns:
        found.add(MULTI_TURN)
    return frozenset(found)


def _categories_of_tags(tags: Mapping[str, object]) -> set[str]:
    """Return the categories of LMArena's tags; six of its seven criteria make a prompt hard, as there."""
    found: set[str] = set()
    for group, (flag, category) in _TAGS.items():
        said = tags.get(group)
        if isinstance(said, Mapping) and cast("Mapping[str, object]", said).get(flag) is True:
            found.add(category)
    criteria = tags.get("criteria_v0.1")
    if isinstance(criteria, Mapping):
        met = sum(value is True for value in cast("Mapping[str, object]", criteria).values())
        found |= {"hard-prompts"} if met >= 6 else set()
    return found


def prompts_of(row: Row) -> list[str] | None:
    """Return what the person said; None where the row brings no texts."""
    said = row.get("conversation_a")
    if not said:
        return None
    conversation = document_of(said.lstrip()) if isinstance(said, str) else said
    if not isinstance(conversation, list):
        return None
    messages = [
        cast("Mapping[str, object]", it)
        for it in cast("list[object]", conversation)
        if isinstance(it, Mapping)
    ]
    contents = [message.get("content") for message in messages if message.get("role") == "user"]
    return [text_of(cast("object", it)) for it in contents if isinstance(it, str | list)]


def document_of(value: object) -> object:
    """Return a cell that holds JSON as what it stands for; anything else as it is."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return _remembered(value) if len(value) <= REMEMBERED_CHARS else _decoded(value)
    return value


@lru_cache(4096)
def _remembered(text: str) -> object:
    return _decoded(text)


def _decoded(text: str) -> object:
    if len(text) > VALUES and text.count(",") > VALUES:
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def plain(value: object) -> str:
    """Return a small number or word as text, whole numbers without their point."""
    return "" if value is None else str(value)[:20].removesuffix(".0")
