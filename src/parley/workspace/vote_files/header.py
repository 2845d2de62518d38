"""The header of a vote file: which columns it must have, and how many it may have."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean
from parley.workspace.vote_files.limits import COLUMNS

CheckColumns: TypeAlias = Callable[[str, Iterable[str]], None]
"""Takes the file's name and its columns; raises Invalid."""

NAMES_SHOWN, NAME_SHOWN = 40, 60
"""Columns that an error names, and characters of each."""


def needed_columns(needed: Sequence[str]) -> CheckColumns:
    """Return a check that these columns are there; its error suggests similar ones."""

    def check(name: str, columns: Iterable[str]) -> None:
        known = set(columns)
        missing = [f"“{column}”{did_you_mean(column, known)}" for column in needed if column not in known]
        if missing:
            there = f"There are: {_shown(known)}." if known else "The file is empty."
            raise Invalid("file", f"{name} has no column {' and no column '.join(missing)}.", there)

    return check


def refuse_columns(name: str, line: int, number: int) -> None:
    """Raise Invalid where a file has too many columns by a line."""
    if number > COLUMNS:
        raise Invalid(
            "file",
            f"{name}:{line}: the file has more than {COLUMNS:,} columns.",
            "Write a file of the columns of votes alone.",
        )


def refuse_repeated(name: str, header: Iterable[str]) -> None:
    """Raise Invalid where a named column occurs twice."""
    for column, times in Counter(filter(None, header)).items():
        if times > 1:
            title = f"{name} has the column “{column[:NAME_SHOWN]}” twice."
            raise Invalid("file", title, "Rename one of the two.")


def _shown(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - NAMES_SHOWN:,} more" if len(ordered) > NAMES_SHOWN else ""
    return ", ".join(name[:NAME_SHOWN] for name in ordered[:NAMES_SHOWN]) + more
