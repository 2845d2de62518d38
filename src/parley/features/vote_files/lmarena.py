"""LMArena's columns: conversations, styles of replies, languages and tags."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, NamedTuple, cast

import msgspec
from msgspec import Meta, Raw
from msgspec.structs import astuple

from parley.features.vote_files.columns import STYLE, FileRow
from parley.features.vote_files.limits import VALUES
from parley.features.vote_files.python_text import json_of_python
from parley.text.categories.categorise import LANGUAGE_PREFIX, MULTI_TURN
from parley.text.categories.language import LANGUAGES
from parley.text.style import Style, style_of

CACHED_CHARS = 1024
"""Tags and descriptions of models repeat and are shorter; a longer cell is a text of its own."""

TAGS_CACHED = 16_384
"""Tags of prompts that are remembered with the categories that they mean: far more than differ in LMArena's files."""

LANGUAGE_CHARS = 64
"""Longer than the name of any language."""

PYTHON_TEXT = re.compile(r"\s*(?:[A-Za-z_.]+\()?[\[(]?\s*(?:array\(\s*\[?\s*)?\{\s*'")
"""The beginning of messages as Python prints them."""

_NESTED = re.compile(r"[\[{(]|[A-Za-z_.]{1,40}\([\[({]")
"""The beginning of a list or object, as JSON or as Python prints it."""

HARD_CRITERIA = 6
"""LMArena calls a prompt hard that meets so many of its seven criteria."""

_TAGS = {
    "math_v0.1": ("math", "maths"),
    "if_v0.1": ("if", "instruction-following"),
    "creative_writing_v0.1": ("creative_writing", "creative-writing"),
}
_FIELDS = {side: tuple(field.format(side) for field in STYLE.values()) for side in ("a", "b")}
_Count = Annotated[int, Meta(ge=0)]
_COUNTS = msgspec.defstruct(
    "_COUNTS",
    [(name, _Count | dict[str, _Count] | None, None) for side in "ab" for name in _FIELDS[side]],
    gc=False,
)
_decode_counts = msgspec.json.Decoder(_COUNTS).decode
_LANGUAGES = {name.lower(): code for code, name in LANGUAGES.items()} | {code: code for code in LANGUAGES}


class PythonText(ValueError):
    """A conversation in Python's text that is cut short or damaged: it would count as one long reply."""


def json_cell(value: object) -> object:
    """Decode a cell that holds a list or object, as JSON or as Python prints it; return anything else as it is.

    Raises DecodeError for `Raw`.
    """
    if isinstance(value, Raw):
        return msgspec.json.decode(value)
    if isinstance(value, str) and _NESTED.match(value):
        return _cached(value) if len(value) <= CACHED_CHARS else _decoded(value)
    return value


def prompts_of(row: FileRow) -> list[str] | None:
    """Return the person's messages; None if the row has no conversation."""
    conversation = row.get("conversation_a")
    messages = _messages(conversation) if conversation else None
    if messages is None:
        return None
    contents = [message.get("content") for message in messages if message.get("role") == "user"]
    return [_text(cast("object", content)) for content in contents if isinstance(content, str | list)]


class Texts(NamedTuple):
    """One comparison: the person's messages, and each side's answers to them."""

    prompts: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]


def texts_of(row: FileRow) -> Texts | None:
    """Return the question and the two answers of a row; None if it lacks one of them.

    They are in `conversation_a` and `conversation_b`, as messages, or in `prompt`, `response_a` and `response_b`, each
    a text or a list of texts by turn.
    """
    prompts = prompts_of(row)
    if prompts is not None:
        sides = [_messages(row.get(f"conversation_{letter}")) or [] for letter in "ab"]
        left, right = ([_content(it) for it in side if it.get("role") == "assistant"] for side in sides)
    else:
        prompts, left, right = (_turns(row.get(name)) for name in ("prompt", "response_a", "response_b"))
    texts = Texts(tuple(prompts), tuple(left), tuple(right))
    return texts if all("".join(each).strip() for each in texts) else None


def style_of_row(row: FileRow, counts: object) -> tuple[Style, Style] | None:
    """Return the style of the left and the right replies, from `counts` or else from their texts.

    `counts` are those of `conv_metadata`. Returns None without both replies. Raises ValueError, OverflowError or
    DecodeError for a count that is not one.
    """
    if isinstance(counts, Raw):
        if (sums := _counted_in(counts)) is not None:
            return sums
        counts = json_cell(counts)
    if isinstance(counts, dict) and _FIELDS["a"][0] in counts:
        counted = cast("dict[str, object]", counts)
        return _counted(counted, "a"), _counted(counted, "b")
    left, right = _reply(row.get("conversation_a")), _reply(row.get("conversation_b"))
    return None if left is None or right is None else (style_of(left), style_of(right))


def lmarena_categories(row: FileRow) -> frozenset[str]:
    """Return the categories that LMArena's columns state. Raises DecodeError."""
    language = row.get("language")
    categories = _categories(
        language[:LANGUAGE_CHARS] if isinstance(language, str) else "",
        row.get("is_code") in (True, "true", "True"),
        short_number(row.get("turn")),
    )
    tags = row.get("category_tag")
    if isinstance(tags, Raw):
        # There are few different ones, and bytes have a hash.
        return _joined(categories, _tagged_in(bytes(tags)))
    tags = json_cell(tags) if tags else None
    return categories | _tagged(cast("dict[str, object]", tags)) if isinstance(tags, dict) else categories


def short_number(value: object) -> str:
    """Return a number, or its text in a file, as short text; whole numbers without a point."""
    return "" if value is None else str(value)[:20].removesuffix(".0")


def _messages(cell: object) -> list[Mapping[str, object]] | None:
    conversation = json_cell(cell.lstrip()) if isinstance(cell, str) else cell
    if not isinstance(conversation, list):
        return None
    parts = cast("list[object]", conversation)
    return [cast("Mapping[str, object]", it) for it in parts if isinstance(it, Mapping)]


def _reply(cell: object) -> str | None:
    """Return the model's messages as one text; a cell of plain text is the reply itself."""
    messages = _messages(cell)
    if messages is None:
        if isinstance(cell, str) and PYTHON_TEXT.match(cell):
            raise PythonText
        return cell if isinstance(cell, str) else None
    return "\n\n".join(_content(message) for message in messages if message.get("role") == "assistant")


def _content(message: Mapping[str, object]) -> str:
    return _text(message.get("content"))


def _turns(cell: object) -> list[str]:
    """Return a cell's texts by turn."""
    value = json_cell(cell)
    if isinstance(value, list):
        return [it if isinstance(it, str) else "" for it in cast("list[object]", value)]
    return [value] if isinstance(value, str) else []


def _text(content: object) -> str:
    """Return a message's text without pictures and other parts."""
    if isinstance(content, str):
        return content
    parts = cast("list[object]", content) if isinstance(content, list) else []
    return "".join(
        str(cast("Mapping[str, object]", part).get("text") or "")
        for part in parts
        if isinstance(part, Mapping)
    )


def _counted_in(counts: Raw) -> tuple[Style, Style] | None:
    """Return `_counted` of both sides where every count is plain; None for anything else."""
    try:
        values: tuple[int | dict[str, int] | None, ...] = astuple(_decode_counts(counts))
    except msgspec.DecodeError:
        return None
    if values[0] is None:
        return None
    a, b, c, d, e, f, g, h = [sum(it.values()) if isinstance(it, dict) else it or 0 for it in values]
    return (a, b, c, d), (e, f, g, h)


def _counted(counts: dict[str, object], side: str) -> Style:
    tokens, headers, lists, bold = _FIELDS[side]
    return (
        _sum(counts.get(tokens)),
        _sum(counts.get(headers)),
        _sum(counts.get(lists)),
        _sum(counts.get(bold)),
    )


def _sum(value: object) -> int:
    """Return a count, or the sum of counts by kind: {"h1": 2, "h2": 1}."""
    if type(value) is int and value >= 0:
        return value
    if type(value) is dict:
        total = 0
        for part in cast("dict[str, object]", value).values():
            # Almost every part is a small whole number: this runs some thirty times a row.
            total += part if type(part) is int and part >= 0 else _sum(part)
        return total
    if value is None:
        return 0
    if not isinstance(value, int | float) or value < 0:
        raise ValueError("is not a count")
    return int(value)


@lru_cache(4096)
def _cached(text: str) -> object:
    return _decoded(text)


def _decoded(text: str) -> object:
    if len(text) > VALUES and max(map(text.count, ",'[(")) > VALUES:
        return text
    for read in (str, json_of_python):
        try:
            return msgspec.json.decode(read(text) or "")
        except (msgspec.DecodeError, RecursionError):
            continue
    return text


def _is_multiple(number: str) -> bool:
    try:
        return float(number) > 1
    except ValueError:
        return False


@lru_cache(4096)
def _categories(language: str, code: bool, turns: str) -> frozenset[str]:
    spoken = _LANGUAGES.get(language.lower())
    stated = {LANGUAGE_PREFIX + (spoken or ""): spoken, "coding": code, MULTI_TURN: _is_multiple(turns)}
    return frozenset(category for category, is_stated in stated.items() if is_stated)


@lru_cache(4096)
def _joined(some: frozenset[str], more: frozenset[str]) -> frozenset[str]:
    return some | more


def _tagged_in(tags: bytes) -> frozenset[str]:
    return _cached_tags(tags) if len(tags) <= CACHED_CHARS else _tags_of(tags)


def _tags_of(tags: bytes) -> frozenset[str]:
    decoded: object = msgspec.json.decode(tags)
    return frozenset(_tagged(cast("dict[str, object]", decoded)) if isinstance(decoded, dict) else ())


_cached_tags = lru_cache(TAGS_CACHED)(_tags_of)


def _tagged(tags: dict[str, object]) -> set[str]:
    tagged: set[str] = set()
    for group, (flag, category) in _TAGS.items():
        tag = tags.get(group)
        if isinstance(tag, dict) and cast("dict[str, object]", tag).get(flag) is True:
            tagged.add(category)
    criteria = tags.get("criteria_v0.1")
    if isinstance(criteria, dict):
        met = list(cast("dict[str, object]", criteria).values())
        # 1 equals True, and is no tag.
        if met.count(True) >= HARD_CRITERIA and sum(value is True for value in met) >= HARD_CRITERIA:
            tagged.add("hard-prompts")
    return tagged
