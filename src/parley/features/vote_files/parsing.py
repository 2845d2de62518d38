"""Parses rows into votes, in LMArena's columns and Parley's own."""

import hashlib
import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import DecodeError, Raw

from parley.features.vote_files import validators
from parley.features.vote_files.columns import FileRow
from parley.features.vote_files.lmarena import (
    PythonText,
    json_cell,
    lmarena_categories,
    prompts_of,
    short_number,
    style_of_row,
)
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.validators import BadRow, read
from parley.kernel.errors import Invalid
from parley.ratings.outcomes import WORDS, Outcome
from parley.text.folding import folded

Categorise = Callable[[Sequence[str]], Sequence[str]]
"""Returns the categories of a match's prompts."""

Styles: TypeAlias = tuple[int, int, int, int, int, int, int, int]
"""Features of style (`text.style.FEATURES`) of the left side, then of the right one."""

CATEGORIES_OF_FILE = 500
"""Far more than an installation has: for each one a table is computed and stored."""


WITHDRAWN_RULE = "flagged_voter"
"""A reason in older files whose rule excluded honest voters: such a vote counts."""

_CHOICES = {Outcome.WIN: "left", Outcome.LOSS: "right", Outcome.TIE: "tie", Outcome.BOTH_BAD: "both_bad"}
_WINNERS = {word: _CHOICES[outcome] for word, outcome in WORDS.items()}
_BETWEEN = re.compile(r"[\s_()-]+")
_LOOSE_WINNERS = {_BETWEEN.sub("", word).lower(): choice for word, choice in _WINNERS.items()}
"""The words without case, spaces and signs: “both bad”, “Tie(BothBad)”."""
_REASON = validators.word(validators.SLUG, "is not a word of lower-case letters, digits and underscores")
_SHA256 = validators.word(re.compile(r"[0-9a-f]{64}"), "is not a SHA-256 in lower-case hex digits")
_PROPENSITY = validators.number(0.0, 1.0)


class FileVote(msgspec.Struct, gc=False):
    """A vote of a file. `seconds` is its time since 1970, `source` its id in the file; null where the file has none.

    `reason` says why it does not count. `row_key` identifies it in the file; null where nothing does.
    """

    source: str | None
    voter: str | None
    kind: str
    choice: str
    left: str
    right: str
    propensity: float | None
    reason: str | None
    seconds: float | None
    categories: list[str]
    prompt_sha256: str | None
    style: Styles | None
    row_key: int | None


class Voters:
    """Pseudonyms of voters: people of this installation keep theirs, other judges are hashed with its salt."""

    def __init__(self, salt: bytes, own: Collection[str]) -> None:
        """`own` are the pseudonyms of this installation."""
        # A copy of a hash that has its key takes half the time of a new one.
        self._keyed = hashlib.blake2b(digest_size=16, key=salt[:64])
        self._own = own

    def of(self, judge: str) -> str:
        """Return a judge's pseudonym."""
        if judge in self._own:
            return judge
        digest = self._keyed.copy()
        digest.update(judge.encode())
        return digest.hexdigest()


class RowParser:
    """Parses the rows of one file."""

    def __init__(self, *, models: ModelNames, voters: Voters, categorise: Categorise) -> None:
        self._models, self._voters, self._categorise = models, voters, categorise
        self.categories: set[str] = set()
        """The categories of all votes so far."""

    def parse(self, row: FileRow) -> FileVote:
        """Return the vote of a row. Raises BadRow, and Invalid if the file is refused."""
        own = "parley_counted" in row
        left, right = self._model(row, "model_a"), self._model(row, "model_b")
        if left == right:
            raise BadRow("model_b", "is the same model as model_a")
        choice = _choice(row.get("winner"))
        source = read(row, "question_id", validators.short_text) or read(row, "id", validators.short_text)
        judge = read(row, "judge", validators.short_text) or read(row, "judge_hash", validators.short_text)
        kind, reason = _standing(row)
        prompts = prompts_of(row)
        categories = self._categories(row, prompts)
        self.categories.update(categories)
        # Keyword arguments would make this five times slower.
        return FileVote(
            source,
            None if judge is None else self._voters.of(judge),
            kind,
            choice,
            left,
            right,
            read(row, "parley_propensity", _PROPENSITY) if own else None,
            reason,
            _seconds(row),
            categories,
            _prompt_sha256(row, prompts),
            _style(row),
            hash((source, left, right, judge, short_number(row.get("turn")))) if source else None,
        )

    def _model(self, row: FileRow, column: str) -> str:
        name = row.get(column)
        if not isinstance(name, str):
            raise BadRow(column, "is missing" if name is None else "is not a name")
        known = self._models.mapped.get(name)
        if known is not None:
            return known.model_id
        if not (name := name.strip()):
            raise BadRow(column, "is missing")
        described = json_cell(row.get("parley_" + column))
        try:
            return self._models.resolve(name, cast("Any", described) if isinstance(described, dict) else None)
        except ValueError as error:
            raise BadRow(column, str(error)) from None

    def _categories(self, row: FileRow, prompts: Sequence[str] | None) -> list[str]:
        own = row.get("parley_categories")
        if own is not None and (own := json_cell(own)) not in (None, ""):
            return self._named("parley_categories", own)
        try:
            stated = lmarena_categories(row)
        except DecodeError:
            raise BadRow("category_tag", "is not JSON") from None
        stated_category = row.get("category")
        if not prompts and stated_category is None:
            return _ordered(stated)
        stated_category = json_cell(stated_category)
        categories = set(stated).union(self._categorise(prompts) if prompts else ())
        if stated_category not in (None, ""):
            categories.update(
                self._named(
                    "category",
                    cast("object", stated_category)
                    if isinstance(stated_category, list)
                    else [stated_category],
                )
            )
        return sorted(categories)

    def _named(self, column: str, values: object) -> list[str]:
        try:
            categories = validators.category_ids(values)
        except ValueError as error:
            raise BadRow(column, str(error)) from None
        if len(self.categories) > CATEGORIES_OF_FILE:
            raise Invalid("file", f"The file names more than {CATEGORIES_OF_FILE} categories.")
        return categories


@lru_cache(4096)
def _ordered(categories: frozenset[str]) -> list[str]:
    return sorted(categories)


def _seconds(row: FileRow) -> float | None:
    seconds = read(row, "tstamp", validators.seconds)
    return read(row, "timestamp", validators.seconds) if seconds is None else seconds


def _loose(word: str) -> str:
    return _BETWEEN.sub("", word).lower()


def _choice(value: object) -> str:
    name = value if isinstance(value, str) else ""
    choice = _WINNERS.get(name) or _LOOSE_WINNERS.get(_loose(name))
    if choice is None:
        raise BadRow("winner", "is not model_a, model_b, tie or tie (bothbad)")
    return choice


def _standing(row: FileRow) -> tuple[str, str | None]:
    """Return a vote's kind, and why it does not count."""
    own = "parley_counted" in row
    kind = (own and row.get("parley_kind")) or (
        "open" if read(row, "anony", validators.flag) is False else "blind"
    )
    if not own:
        return str(kind), None
    if kind not in ("blind", "open"):
        raise BadRow("parley_kind", "is not blind or open")
    counted = read(row, "parley_counted", validators.flag)
    reason = read(row, "parley_reason", _REASON)
    excluded = read(row, "parley_excluded", _REASON)
    counted = reason is None if counted is None else counted
    if not counted:
        return str(kind), reason or "not_counted"
    return str(kind), None if excluded == WITHDRAWN_RULE else excluded


def _prompt_sha256(row: FileRow, prompts: Sequence[str] | None) -> str | None:
    if row.get("parley_prompt_sha256"):
        return read(row, "parley_prompt_sha256", _SHA256)
    if not prompts:
        return None
    return hashlib.sha256(folded(prompts[0]).encode("utf-8", "replace")).hexdigest()


def _style(row: FileRow) -> Styles | None:
    """Return the features of style of both sides; None if the row has none."""
    counts = row.get("conv_metadata")
    if counts and not isinstance(counts, Raw):
        counts = json_cell(counts)
    if not counts and not row.get("conversation_a"):
        return None
    try:
        sides = style_of_row(row, counts)
    except PythonText:
        raise BadRow(
            "conversation_a", "is Python text that is cut short or damaged: write the column with json.dumps"
        ) from None
    except (ValueError, OverflowError, DecodeError):
        raise BadRow("conv_metadata", "has a value that is not a count") from None
    if sides is None:
        return None
    left, right = sides
    numbers = left + right
    if min(numbers) < 0 or max(numbers) >= 1 << 53:
        raise BadRow("conv_metadata", "has an impossible count")
    return numbers
