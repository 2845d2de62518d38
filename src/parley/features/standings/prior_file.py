"""Reads published results: a file of votes in LMArena's columns, or of counts per pair."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from parley.features.standings.prior_schemas import MatchedName, PriorContent, UnmatchedName
from parley.features.vote_files.columns import NEEDED, FileRow, needed_columns
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.model_names import NAME_CHARS, ModelNames
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid
from parley.ratings.outcomes import SCORES, Outcome, outcome_of
from parley.text.plain_words import did_you_mean

COUNTS = ("model_a", "model_b", "wins_a", "wins_b", "ties")
"""The columns of counts per pair; without `ties` there were none."""

PAIRS_MAX = 500_000
VOTES_MAX = 1e12
UNMATCHED_SHOWN = 20


class Published(msgspec.Struct):
    """Published results by the names in the file, in the order in which the file names a pair first."""

    pairs: dict[tuple[str, str], list[float]]
    """Wins of the first, wins of the second, ties."""

    @property
    def votes(self) -> float:
        """All votes."""
        return math.fsum(number for row in self.pairs.values() for number in row)

    def names(self) -> dict[str, float]:
        """Return the votes on each name."""
        totals: dict[str, float] = {}
        for pair, row in self.pairs.items():
            for name in pair:
                totals[name] = totals.get(name, 0.0) + math.fsum(row)
        return totals


def read_published(path: Path, kind: Format, name: str, limits: FileLimits | None = None) -> Published:
    """Read a file. Raises Invalid, which names the line and the column of the first row that is no result."""
    published = Published({})
    columns = (*NEEDED, *COUNTS[2:])
    for line, row in VoteRows(path, kind, _check, name=name, columns=columns, limits=limits):
        try:
            if isinstance(row, str):
                raise ValueError(row)
            _add(published, row)
        except ValueError as error:
            raise Invalid(
                "file", f"{name}:{line}: {error}.", "Nothing was changed.", code="bad_published_results"
            ) from None
        if len(published.pairs) > PAIRS_MAX:
            raise Invalid("file", f"{name}:{line}: the file has more than {PAIRS_MAX:,} pairs of models.")
    return published


def match(published: Published, known: ModelNames, models: Mapping[str, str], name: str) -> PriorContent:
    """Return the results between known models: found by `models`, else by their exact id or name.

    Raises Invalid for a mapping of a name that the file does not have or to an unknown model, and where no results are
    left.
    """
    names = published.names()
    ids = {it: known_id for it in names if (known_id := known.find(it)) is not None}
    for it, model in models.items():
        if it not in names:
            raise Invalid("map", f"map: {name} does not name “{it}”{did_you_mean(it, names)}.")
        if (model_id := known.find(model)) is None:
            raise Invalid("map", f"map: there is no model “{model}” here.", "Give its id or its name.")
        ids[it] = model_id
    rows: dict[tuple[str, str], list[float]] = {}
    for (one, other), (won, lost, tied) in published.pairs.items():
        if one not in ids or other not in ids or ids[one] == ids[other]:
            continue
        turned = ids[one] > ids[other]
        key = (ids[other], ids[one]) if turned else (ids[one], ids[other])
        row = rows.setdefault(key, [0.0, 0.0, 0.0])
        for place, number in enumerate((lost, won, tied) if turned else (won, lost, tied)):
            row[place] += number
    if not any(math.fsum(row) for row in rows.values()):
        most = sorted(names, key=lambda it: (-names[it], it))[:UNMATCHED_SHOWN]
        raise Invalid(
            "file",
            f"{name} has no results between two of your models.",
            f"Map its names with NAME=MODEL. It names: {', '.join(most)}." if most else "It is empty.",
            code="no_published_results",
        )
    left = sorted((it for it in names if it not in ids), key=lambda it: (-names[it], it))
    return PriorContent(
        rows=tuple((*key, row[0], row[1], row[2]) for key, row in sorted(rows.items()) if math.fsum(row) > 0),
        published=published.votes,
        matched=tuple(MatchedName(it, ids[it]) for it in sorted(ids)),
        unmatched=tuple(UnmatchedName(it, names[it]) for it in left[:UNMATCHED_SHOWN]),
        unmatched_names=len(left),
    )


def _check(name: str, columns: Iterable[str]) -> None:
    known = set(columns)
    if known & {"wins_a", "wins_b"} and "winner" not in known:
        needed_columns(COUNTS[:4])(name, known)
        return
    if "winner" not in known:
        raise Invalid(
            "file",
            f"{name} has no column “winner”, and no columns “wins_a” and “wins_b”.",
            f"Votes need {', '.join(NEEDED)}. Counts need {', '.join(COUNTS[:4])}, and ties if there were any.",
        )
    needed_columns(NEEDED)(name, known)


def _add(published: Published, row: FileRow) -> None:
    one, other = _name(row, "model_a"), _name(row, "model_b")
    if one == other:
        raise ValueError("model_b is the same model as model_a")
    if "winner" in row:
        outcome = outcome_of(row.get("winner"))
        if outcome is None:
            raise ValueError("winner is not model_a, model_b, tie or tie (bothbad)")
        numbers = [
            float(outcome is Outcome.WIN),
            float(outcome is Outcome.LOSS),
            float(SCORES[outcome] == 0.5),
        ]
    else:
        numbers = [_count(row, column) for column in COUNTS[2:]]
    turned = (other, one) in published.pairs
    if turned:
        numbers[:2] = numbers[1::-1]
    stored = published.pairs.setdefault((other, one) if turned else (one, other), [0.0, 0.0, 0.0])
    for place, number in enumerate(numbers):
        stored[place] += number


def _name(row: FileRow, column: str) -> str:
    value = row.get(column)
    name = value.strip() if isinstance(value, str) else ""
    if not name:
        raise ValueError(
            f"{column} is missing" if value is None or value == "" else f"{column} is not a name"
        )
    if len(name) > NAME_CHARS or not name.isprintable():
        raise ValueError(f"{column} is longer than {NAME_CHARS} characters, or can't be printed")
    return name


def _count(row: FileRow, column: str) -> float:
    value: Any = row.get(column)
    if (value is None or value == "") and column == "ties":
        return 0.0
    try:
        number = math.nan if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0.0 <= number <= VOTES_MAX:
        raise ValueError(f"{column} is not a number of votes")
    return number
