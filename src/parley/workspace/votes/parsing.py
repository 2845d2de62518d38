"""Rows become votes: every field checked, in LMArena's columns and Parley's own."""

import hashlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, cast

from parley.kernel.errors import Invalid
from parley.ratings.outcomes import WORDS, Outcome
from parley.ratings.style import FEATURES
from parley.storage.audit_log import time_text
from parley.text.categories.ids import PAGES
from parley.text.folding import folded
from parley.workspace.arena.schemas import storable
from parley.workspace.votes.columns import unguarded
from parley.workspace.votes.lmarena import document_of, plain, prompts_of, tagged
from parley.workspace.votes.models_of_files import ModelNames
from parley.workspace.votes.reply_style import style_of_row
from parley.workspace.votes.rows import Row
from parley.workspace.votes.staged import ID, StagedVote
from parley.workspace.voting.schemas import MAX_REASON_CHARS

Categorise = Callable[[Sequence[str]], Sequence[str]]
"""Returns the categories of a match's prompts."""

CATEGORIES_MAX = 40
CATEGORIES_OF_FILE = 500
"""More than any installation has: each one is a table of its own, which is made and stored."""

TEXT_CHARS = 200
EARLIEST, LATEST = 0.0, 4_102_444_800.0
"""Times of votes: 1970 to 2100."""

_CHOICES = {Outcome.WIN: "left", Outcome.LOSS: "right", Outcome.TIE: "tie", Outcome.BOTH_BAD: "both_bad"}
_WINNERS = {word: _CHOICES[outcome] for word, outcome in WORDS.items()}
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_TRUE = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


class BadRow(ValueError):
    """A row that is no vote; `field` names the column."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}")
        self.field, self.why = field, why


class Voters:
    """Pseudonyms: people of this installation stay who they are, all others are hashed with its salt."""

    def __init__(self, salt: bytes, own: Mapping[str, str]) -> None:
        self._salt = salt[:64]
        self._own = own

    def of(self, judge: str) -> tuple[str, str | None]:
        """Return a judge's pseudonym, and the owner of the vote where it is one of ours."""
        owner_id = self._own.get(judge)
        if owner_id is not None:
            return judge, owner_id
        return hashlib.blake2b(judge.encode(), digest_size=16, key=self._salt).hexdigest(), None


class RowParser:
    """Makes votes of rows; the same rows make the same votes, in whatever file they stand.

    A vote's id begins with its time, so that a long file is stored in the order of its ids, which is faster; where a
    row has no time with zeros, since its place would be another one in a file that overlaps with this one. The rest is
    a hash of the id that the row brings, with models, judge and turn, or, where it brings none, of what it says and how
    often it was said before. An imported vote keeps its id when it is written to a file and imported elsewhere.
    """

    def __init__(
        self, *, models: ModelNames, voters: Voters, categorise: Categorise, now: datetime, cells: bool
    ) -> None:
        """`cells`: every value is text (CSV)."""
        self._models, self._voters, self._categorise = models, voters, categorise
        self._now = time_text(now)
        self._cells = cells
        self._said: dict[int, int] = {}
        self._categories_seen: set[str] = set()

    def parse(self, row: Row) -> StagedVote:
        """Return the vote of a row. Raises BadRow, and Invalid where the file as a whole cannot be taken."""
        own = "parley_counted" in row
        if self._cells and own:
            row = {name: unguarded(value) if isinstance(value, str) else value for name, value in row.items()}
        left, right = self._model(row, "model_a"), self._model(row, "model_b")
        if left == right:
            raise BadRow("model_b", "is the model of model_a")
        choice = _choice(row.get("winner"))
        source = _text(row, "question_id") or _text(row, "id")
        judge = _text(row, "judge") or _text(row, "judge_hash")
        moment, created_at = self._time(row)
        vote_id = _given_id(row) if own else None
        if not vote_id:
            said = _said(row, source, judge, (choice, "" if moment is None else created_at))
            began = 0 if moment is None else int(moment * 1000)
            vote_id = self._id(said, numbered=not source, began=began)
        voter_id, owner_id = (vote_id, None) if judge is None else self._voters.of(judge)
        kind, counted, reason, excluded = _standing(row) if own else _as_cast(row)
        categories, by = self._categories(row, prompts := prompts_of(row))
        # Without names the value is made five times as fast.
        return StagedVote(
            vote_id,
            source,
            voter_id,
            owner_id,
            kind,
            choice,
            _comment(row.get("parley_comment")) if own else None,
            left,
            right,
            _number(row, "parley_propensity", 0.0, 1.0) if own else None,
            counted,
            reason,
            excluded,
            created_at,
            categories,
            by,
            _digest(row, prompts),
            _style(row),
            _whole(_number(row, "parley_read_ms", 0.0, 1e15)) if own else None,
        )

    def _model(self, row: Row, column: str) -> str:
        name = row.get(column)
        if not isinstance(name, str):
            raise BadRow(column, "is missing" if name is None else "is no name")
        known = self._models.mapped.get(name)
        if known is not None:
            return known.model_id
        if not (name := name.strip()):
            raise BadRow(column, "is missing")
        described = document_of(row.get("parley_" + column))
        try:
            return self._models.resolve(name, cast("Any", described) if isinstance(described, dict) else None)
        except ValueError as error:
            raise BadRow(column, str(error)) from None

    def _time(self, row: Row) -> tuple[float | None, str]:
        value = row.get("tstamp")
        column = "tstamp"
        if value is None or value == "":
            value, column = row.get("timestamp"), "timestamp"
        if value is None or value == "":
            return None, self._now
        seconds = seconds_of(value)
        if not EARLIEST <= seconds < LATEST:
            raise BadRow(column, "is not a time between 1970 and 2100: seconds, or ISO 8601")
        return seconds, time_text(datetime.fromtimestamp(seconds, UTC))

    def _id(self, said: tuple[str | None, ...], *, numbered: bool, began: int) -> str:
        digest = hashlib.sha256("\x00".join([it or "" for it in said]).encode())
        if numbered:
            key = int.from_bytes(digest.digest()[:8], "big")
            times = self._said[key] = self._said.get(key, 0) + 1
            digest.update(b"\x01%d" % times)
        return f"{began:012x}{digest.hexdigest()[:20]}"

    def _categories(self, row: Row, prompts: Sequence[str] | None) -> tuple[list[str], str]:
        own = document_of(row.get("parley_categories"))
        if own not in (None, ""):
            by = row.get("parley_categories_by") or "rules"
            if by not in ("rules", "model", "person"):
                raise BadRow("parley_categories_by", "is not rules, model or person")
            return self._named("parley_categories", own), str(by)
        told = tagged(row)
        given = row.get("category")
        if not prompts and given in (None, ""):
            return sorted(told), "rules"
        found = set(told).union(self._categorise(prompts) if prompts else ())
        given = document_of(given)
        if given not in (None, ""):
            listed = cast("list[object]", given) if isinstance(given, list) else [given]
            found.update(self._named("category", listed))
        return sorted(found), "rules"

    def _named(self, column: str, values: object) -> list[str]:
        """Return the categories that a column names. Raises BadRow, and Invalid where the file names too many."""
        if not isinstance(values, list):
            raise BadRow(column, "is not a list of categories")
        found = _checked(column, cast("list[object]", values))
        self._categories_seen.update(found)
        if len(self._categories_seen) > CATEGORIES_OF_FILE:
            raise Invalid("file", f"The file names more than {CATEGORIES_OF_FILE} categories.")
        return found


def seconds_of(value: object) -> float:
    """Return a moment as a number: a number, ISO 8601, a datetime or a date; NaN for anything else.

    Where a zone is not named it is UTC: the order of votes must not depend on where the file is read.
    """
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e18 else math.nan
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            try:
                return seconds_of(datetime.fromisoformat(value))
            except ValueError:
                return math.nan
    return math.nan


def _said(row: Row, source: str | None, judge: str | None, more: tuple[str, str]) -> tuple[str | None, ...]:
    """Return what makes a vote that vote: of an export its id alone, of a row without an id `more` too."""
    if source and "parley_counted" in row:
        return (source,)
    turn = plain(row.get("turn"))
    parts = (source, str(row.get("model_a")).strip(), str(row.get("model_b")).strip(), judge, turn)
    return parts if source else (*parts, *more)


def _choice(value: object) -> str:
    choice = _WINNERS.get(value) or _WINNERS.get(value.strip().lower()) if isinstance(value, str) else None
    if choice is None:
        raise BadRow("winner", "is not model_a, model_b, tie or tie (bothbad)")
    return choice


def _text(row: Row, column: str) -> str | None:
    """Return a short text or number as text; None where there is nothing."""
    value = row.get(column)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        text = value
    elif isinstance(value, int) and not isinstance(value, bool):
        text = str(value)
    else:
        raise BadRow(column, "is no text")
    if len(text) > TEXT_CHARS or not text.isprintable():
        raise BadRow(column, f"is longer than {TEXT_CHARS} characters, or cannot be printed")
    return text


def _given_id(row: Row) -> str | None:
    """Return the id that an imported vote has wherever it goes."""
    given = row.get("parley_id")
    if not given:
        return None
    if not isinstance(given, str) or not ID.fullmatch(given):
        raise BadRow("parley_id", "is not 32 small hex digits")
    return given


WITHDRAWN_RULE = "flagged_voter"
"""A reason in older files whose rule took honest voters out: such a vote counts."""


def _standing(row: Row) -> tuple[str, bool, str | None, str | None]:
    """Return kind, whether it was counted when it was cast, why not, and why it was taken out later."""
    kind = row.get("parley_kind") or ("open" if _flag(row, "anony") is False else "blind")
    if kind not in ("blind", "open"):
        raise BadRow("parley_kind", "is not blind or open")
    counted = _flag(row, "parley_counted")
    reason, excluded = _reason(row, "parley_reason"), _reason(row, "parley_excluded")
    counted = reason is None if counted is None else counted
    excluded = None if excluded == WITHDRAWN_RULE else excluded
    return str(kind), counted, None if counted else reason or "not_counted", excluded


def _as_cast(row: Row) -> tuple[str, bool, None, None]:
    """Return what `_standing` returns, of a row of LMArena's: every vote counts, but for those that were not blind."""
    return "open" if _flag(row, "anony") is False else "blind", True, None, None


def _flag(row: Row, column: str) -> bool | None:
    value = row.get(column)
    if value is None or isinstance(value, bool):
        return value
    if value == "":
        return None
    found = _TRUE.get(str(value).lower())
    if found is None:
        raise BadRow(column, "is not true or false")
    return found


def _reason(row: Row, column: str) -> str | None:
    value = row.get(column)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _SLUG.fullmatch(value):
        raise BadRow(column, "is not a word of small letters, digits and underlines")
    return value


def _number(row: Row, column: str, least: float, most: float) -> float | None:
    value = row.get(column)
    if value is None or value == "":
        return None
    try:
        number = float(cast("Any", value))
    except (TypeError, ValueError):
        number = math.nan
    if not least <= number <= most:
        raise BadRow(column, f"is not a number from {least:g} to {most:g}")
    return number


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _comment(value: object) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > MAX_REASON_CHARS:
        raise BadRow("parley_comment", f"is not a text of at most {MAX_REASON_CHARS:,} characters")
    return str(storable(value))


def _checked(column: str, values: Sequence[object]) -> list[str]:
    """Return ids of categories, without `overall`, sorted."""
    found: set[str] = set()
    for value in values:
        word = value.strip().lower().replace(" ", "-").replace("_", "-") if isinstance(value, str) else ""
        if not _SLUG.fullmatch(word):
            raise BadRow(column, "is not a list of categories")
        if word in PAGES:
            raise BadRow(column, f"names “{word}”, which is a page of the leaderboard and no category")
        found.add("maths" if word == "math" else word)
    if len(found) > CATEGORIES_MAX:
        raise BadRow(column, f"has more than {CATEGORIES_MAX} categories")
    return sorted(found - {"overall"})


def _digest(row: Row, prompts: Sequence[str] | None) -> str | None:
    given = row.get("parley_prompt_sha256")
    if given:
        if not isinstance(given, str) or not _DIGEST.fullmatch(given):
            raise BadRow("parley_prompt_sha256", "is not a SHA-256 in small hex digits")
        return given
    return hashlib.sha256(folded(prompts[0]).encode("utf-8", "replace")).hexdigest() if prompts else None


def _style(row: Row) -> dict[str, dict[str, int]] | None:
    """Return the features of style of both sides; None where the row tells nothing of them."""
    counted = row.get("conv_metadata")
    counted = document_of(counted) if counted else None
    if not counted and not row.get("conversation_a"):
        return None
    try:
        sides = style_of_row({**row, "conv_metadata": counted})
    except (ValueError, OverflowError):
        raise BadRow("conv_metadata", "holds something that is no count") from None
    if sides is None:
        return None
    if any(not 0 <= count < 1 << 53 for side in sides for count in side):
        raise BadRow("conv_metadata", "holds a count that cannot be")
    return {
        seat: dict(zip(FEATURES, side, strict=True))
        for seat, side in zip(("left", "right"), sides, strict=True)
    }
