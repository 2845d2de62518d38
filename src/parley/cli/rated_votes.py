"""Reads votes from CSV, JSON Lines or Parquet in LMArena's columns, and reports invalid lines."""

from array import array
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import msgspec
import numpy as np

from parley.features.vote_files.columns import NEEDED, CheckColumns, FileRow, needed_columns
from parley.features.vote_files.formats import format_of
from parley.features.vote_files.lmarena import style_of_row
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats, Integers
from parley.ratings.style import contrasts
from parley.ratings.votes import Faults, Votes, votes_of
from parley.text.plain_words import did_you_mean
from parley.text.style import FEATURES

OPTIONAL = ("judge", "tstamp", "category")
REPLIES = ("conversation_a", "conversation_b", "conv_metadata")
PROGRESS_ROWS = 1_000_000
LINES_SHOWN = 10


class BadRows(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that are invalid for one reason."""

    reason: str
    count: int
    lines: tuple[int, ...]
    """The first few line numbers, counted from 1; for Parquet row numbers."""


class VoteFile(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The content of a file."""

    votes: Votes
    rows: int
    bad: tuple[BadRows, ...]
    in_time_order: bool
    """True if the votes were sorted by `tstamp`; otherwise they are in the file's order."""


def read_vote_file(
    path: Path, *, category: str | None = None, style: bool = False, progress: Callable[[int], None]
) -> VoteFile:
    """Read a file; `progress` gets the number of rows now and then.

    Raises Invalid if the file cannot be read, lacks a column, or has no row of the category.
    """
    kind = format_of(str(path))
    wanted = (*NEEDED, *OPTIONAL, *(REPLIES if style else ()))
    rows = VoteRows(path, kind, _check(style), columns=wanted)
    columns = _Columns(category, style=style)
    for line, row in rows:
        columns.take(line, row)
        if columns.rows % PROGRESS_ROWS == 0:
            progress(columns.rows)
    return columns.finish(path.name)


class _Columns:
    """Rows gathered as columns."""

    def __init__(self, category: str | None, *, style: bool) -> None:
        self._category, self._style = category, style
        self._names: dict[object, object] = {}
        self._columns: dict[str, list[object]] = {name: [] for name in (*NEEDED, "judge")}
        self._times, self._lines = array("d"), array("q")
        self._features: tuple[array[int], array[int]] = (array("q"), array("q"))
        self._found: set[str] = set()
        self._bad: dict[str, list[int]] = {}
        self._counts: dict[str, int] = {}
        self.rows = 0

    def take(self, line: int, row: FileRow | str) -> None:
        """Add a row, or the reason why it is invalid."""
        self.rows += 1
        if isinstance(row, str):
            self._refuse(row, line)
            return
        if self._category is not None and not self._belongs(row.get("category")):
            return
        if self._style:
            try:
                styles = style_of_row(row, row.get("conv_metadata"))
            except (ValueError, OverflowError):
                self._refuse("conv_metadata contains a value that is not a count", line)
                return
            if styles is None:
                self._refuse("the replies are missing: conversation_a and conversation_b", line)
                return
            for features, counts in zip(self._features, styles, strict=True):
                features.extend(counts)
        for name, column in self._columns.items():
            value = row.get(name)
            value = (value.strip() or None) if isinstance(value, str) else value if name == "judge" else None
            column.append(self._names.setdefault(value, value) if isinstance(value, str | int) else None)
        self._times.append(_seconds(row.get("tstamp")))
        self._lines.append(line)

    def finish(self, name: str) -> VoteFile:
        """Return the votes. Raises Invalid if the category was in no row."""
        if self._category is not None and self._category not in self._found:
            raise Invalid(
                "category",
                f"{name} has no category “{self._category}”{did_you_mean(self._category, self._found)}.",
                f"Categories: {', '.join(sorted(self._found))}." if self._found else "It has no categories.",
            )
        features = None
        if self._style:
            sides = [np.array(side, dtype=np.int64).reshape(-1, len(FEATURES)) for side in self._features]
            features = contrasts(*sides)
        judge = self._columns["judge"]
        votes, faults = votes_of(
            self._columns["model_a"],
            self._columns["model_b"],
            self._columns["winner"],
            judge=judge if any(it is not None for it in judge) else None,
            features=features,
            feature_names=FEATURES,
        )
        refused = [
            BadRows(reason=reason, count=count, lines=tuple(self._bad[reason]))
            for reason, count in self._counts.items()
        ]
        return _ordered(
            votes, faults, np.array(self._lines), np.array(self._times), rows=self.rows, bad=refused
        )

    def _belongs(self, value: object) -> bool:
        several: list[object] = cast("list[object]", value) if isinstance(value, list) else [value]
        mine = {str(it) for it in several if it is not None}
        self._found |= mine
        return self._category in mine

    def _refuse(self, reason: str, line: int) -> None:
        self._counts[reason] = self._counts.get(reason, 0) + 1
        shown = self._bad.setdefault(reason, [])
        if len(shown) < LINES_SHOWN:
            shown.append(line)


def _ordered(
    votes: Votes, faults: Faults, lines: Integers, times: Floats, *, rows: int, bad: Iterable[BadRows] = ()
) -> VoteFile:
    """Sort votes by time if every one has a time, and name the lines of invalid times."""
    sound = np.ones(len(lines), dtype=np.bool_)
    refused = list(bad)
    for reason, places in faults.rows.items():
        sound[places] = False
        shown: list[int] = lines[places[:LINES_SHOWN]].tolist()
        refused.append(BadRows(reason=reason, count=len(places), lines=tuple(shown)))
    times = times[sound]
    timed = bool(len(times)) and bool(np.isfinite(times).all())
    return VoteFile(
        votes=votes.where(np.argsort(times, kind="stable")) if timed else votes,
        rows=rows,
        bad=tuple(refused),
        in_time_order=timed,
    )


def _check(style: bool) -> CheckColumns:
    """Return a check for the columns of votes and, with style, of replies."""
    needed = needed_columns(NEEDED)

    def check(name: str, columns: Iterable[str]) -> None:
        known = set(columns)
        needed(name, known)
        if style and "conv_metadata" not in known and not {"conversation_a", "conversation_b"} <= known:
            raise Invalid(
                "file", f"Style control needs the columns conversation_a and conversation_b in {name}."
            )

    return check


def _seconds(value: object) -> float:
    """Return a time as a number; accept a number, ISO 8601 or a datetime, else return NaN.

    A time without a zone is UTC: the order of votes must not depend on where the file is read.
    """
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            try:
                return _seconds(datetime.fromisoformat(value))
            except ValueError:
                return float("nan")
    return float("nan")
