"""Parses rows into votes, in LMArena's columns and Parley's own."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from msgspec import DecodeError, Raw

from parley.features.vote_files import validators
from parley.features.vote_files.columns import Row
from parley.features.vote_files.lmarena import (
    json_cell,
    lmarena_categories,
    prompts_of,
    short_number,
    style_of_row,
)
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.staging import ID, StagedVote, Styles
from parley.features.vote_files.validators import BadRow, read
from parley.kernel.errors import Invalid
from parley.ratings.outcomes import WORDS, Outcome
from parley.storage.audit_log import seconds_text
from parley.text.folding import folded

Categorise = Callable[[Sequence[str]], Sequence[str]]
"""Returns the categories of a match's prompts."""

CATEGORIES_OF_FILE = 500
"""Far more than an installation has: for each one a table is computed and stored."""

WITHDRAWN_RULE = "flagged_voter"
"""A reason in older files whose rule excluded honest voters: such a vote counts."""

_CHOICES = {Outcome.WIN: "left", Outcome.LOSS: "right", Outcome.TIE: "tie", Outcome.BOTH_BAD: "both_bad"}
_WINNERS = {word: _CHOICES[outcome] for word, outcome in WORDS.items()}
_REASON = validators.word(validators.SLUG, "is not a word of lower-case letters, digits and underscores")
_VOTE_ID = validators.word(ID, "is not 32 lower-case hex digits")
_SHA256 = validators.word(re.compile(r"[0-9a-f]{64}"), "is not a SHA-256 in lower-case hex digits")
_PROPENSITY = validators.number(0.0, 1.0)
_READ_MS = validators.integer(0.0, 1e15)


class Voters:
    """Pseudonyms of voters: people of this installation keep theirs, other judges are hashed with its salt."""

    def __init__(self, salt: bytes, own: Mapping[str, str]) -> None:
        """`own` are the owners by pseudonym."""
        # A copy of a hash that has its key takes half the time of a new one.
        self._keyed = hashlib.blake2b(digest_size=16, key=salt[:64])
        self._own = own

    def of(self, judge: str) -> tuple[str, str | None]:
        """Return a judge's pseudonym, and the owner where it is a person of this installation."""
        owner_id = self._own.get(judge)
        if owner_id is not None:
            return judge, owner_id
        digest = self._keyed.copy()
        digest.update(judge.encode())
        return digest.hexdigest(), None


class RowParser:
    """Parses the rows of one file; equal rows become equal votes in whatever file they are.

    A vote's id begins with its time, since a long file is stored faster in the order of its ids; without a time it
    begins with zeros, since the row's place may differ in a file that overlaps with this one. The rest is a hash of the
    row's id with models, judge and turn, or, without an id, of the row's content and how often it occurred before.
    An imported vote keeps its id when it is exported and imported elsewhere.
    """

    def __init__(self, *, models: ModelNames, voters: Voters, categorise: Categorise) -> None:
        self._models, self._voters, self._categorise = models, voters, categorise
        self._occurrences: dict[int, int] = {}
        self._categories_seen: set[str] = set()

    def parse(self, row: Row) -> StagedVote:
        """Return the vote of a row. Raises BadRow, and Invalid if the file is refused."""
        own = "parley_counted" in row
        left, right = self._model(row, "model_a"), self._model(row, "model_b")
        if left == right:
            raise BadRow("model_b", "is the same model as model_a")
        choice = _choice(row.get("winner"))
        source = read(row, "question_id", validators.short_text) or read(row, "id", validators.short_text)
        judge = read(row, "judge", validators.short_text) or read(row, "judge_hash", validators.short_text)
        seconds = _seconds(row)
        vote_id = read(row, "parley_id", _VOTE_ID) if own and row.get("parley_id") else None
        if vote_id is None:
            content = _identity(row, source, judge, choice, seconds)
            vote_id = self._id(content, numbered=not source, began=int((seconds or 0.0) * 1000))
        voter_id, owner_id = (vote_id, None) if judge is None else self._voters.of(judge)
        kind, counted, reason, excluded = _standing(row)
        prompts = prompts_of(row)
        categories, by = self._categories(row, prompts)
        # Keyword arguments would make this five times slower.
        return StagedVote(
            vote_id,
            source,
            voter_id,
            owner_id,
            kind,
            choice,
            read(row, "parley_comment", validators.comment) if own else None,
            left,
            right,
            read(row, "parley_propensity", _PROPENSITY) if own else None,
            counted,
            reason,
            excluded,
            seconds,
            categories,
            by,
            _prompt_sha256(row, prompts),
            _style(row),
            read(row, "parley_read_ms", _READ_MS) if own else None,
        )

    def _model(self, row: Row, column: str) -> str:
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

    def _id(self, content: Sequence[str], *, numbered: bool, began: int) -> str:
        digest = hashlib.sha256("\x00".join(content).encode())
        if numbered:
            key = int.from_bytes(digest.digest()[:8], "big")
            times = self._occurrences[key] = self._occurrences.get(key, 0) + 1
            digest.update(b"\x01%d" % times)
        return f"{began:012x}{digest.hexdigest()[:20]}"

    def _categories(self, row: Row, prompts: Sequence[str] | None) -> tuple[list[str], str]:
        """Return a vote's categories, and who gave them."""
        own = row.get("parley_categories")
        if own is not None and (own := json_cell(own)) not in (None, ""):
            by = row.get("parley_categories_by") or "rules"
            if by not in ("rules", "model", "person"):
                raise BadRow("parley_categories_by", "is not rules, model or person")
            return self._named("parley_categories", own), str(by)
        try:
            stated = lmarena_categories(row)
        except DecodeError:
            raise BadRow("category_tag", "is not JSON") from None
        given = row.get("category")
        if not prompts and given is None:
            return _ordered(stated), "rules"
        given = json_cell(given)
        found = set(stated).union(self._categorise(prompts) if prompts else ())
        if given not in (None, ""):
            found.update(
                self._named("category", cast("object", given) if isinstance(given, list) else [given])
            )
        return sorted(found), "rules"

    def _named(self, column: str, values: object) -> list[str]:
        try:
            found = validators.category_ids(values)
        except ValueError as error:
            raise BadRow(column, str(error)) from None
        self._categories_seen.update(found)
        if len(self._categories_seen) > CATEGORIES_OF_FILE:
            raise Invalid("file", f"The file names more than {CATEGORIES_OF_FILE} categories.")
        return found


@lru_cache(4096)
def _ordered(categories: frozenset[str]) -> list[str]:
    return sorted(categories)


def _seconds(row: Row) -> float | None:
    seconds = read(row, "tstamp", validators.seconds)
    return read(row, "timestamp", validators.seconds) if seconds is None else seconds


def _identity(
    row: Row, source: str | None, judge: str | None, choice: str, seconds: float | None
) -> tuple[str, ...]:
    """Return what identifies a vote: an export's id alone, LMArena's with the sides, or without an id more of it."""
    if source and "parley_counted" in row:
        return (source,)
    models = cast("tuple[str, str]", (row["model_a"], row["model_b"]))
    parts = (source or "", models[0].strip(), models[1].strip(), judge or "", short_number(row.get("turn")))
    return parts if source else (*parts, choice, "" if seconds is None else seconds_text(seconds))


def _choice(value: object) -> str:
    choice = _WINNERS.get(value) or _WINNERS.get(value.strip().lower()) if isinstance(value, str) else None
    if choice is None:
        raise BadRow("winner", "is not model_a, model_b, tie or tie (bothbad)")
    return choice


def _standing(row: Row) -> tuple[str, bool, str | None, str | None]:
    """Return kind, whether the vote was counted when cast, why not, and why it was excluded later."""
    own = "parley_counted" in row
    kind = (own and row.get("parley_kind")) or (
        "open" if read(row, "anony", validators.flag) is False else "blind"
    )
    if not own:
        return str(kind), True, None, None
    if kind not in ("blind", "open"):
        raise BadRow("parley_kind", "is not blind or open")
    counted = read(row, "parley_counted", validators.flag)
    reason = read(row, "parley_reason", _REASON)
    excluded = read(row, "parley_excluded", _REASON)
    counted = reason is None if counted is None else counted
    excluded = None if excluded == WITHDRAWN_RULE else excluded
    return str(kind), counted, None if counted else reason or "not_counted", excluded


def _prompt_sha256(row: Row, prompts: Sequence[str] | None) -> str | None:
    if row.get("parley_prompt_sha256"):
        return read(row, "parley_prompt_sha256", _SHA256)
    if not prompts:
        return None
    return hashlib.sha256(folded(prompts[0]).encode("utf-8", "replace")).hexdigest()


def _style(row: Row) -> Styles | None:
    """Return the features of style of both sides; None if the row has none."""
    counts = row.get("conv_metadata")
    if counts and not isinstance(counts, Raw):
        counts = json_cell(counts)
    if not counts and not row.get("conversation_a"):
        return None
    try:
        sides = style_of_row(row, counts)
    except (ValueError, OverflowError, DecodeError):
        raise BadRow("conv_metadata", "has a value that is not a count") from None
    if sides is None:
        return None
    left, right = sides
    numbers = left + right
    if min(numbers) < 0 or max(numbers) >= 1 << 53:
        raise BadRow("conv_metadata", "has an impossible count")
    return numbers
