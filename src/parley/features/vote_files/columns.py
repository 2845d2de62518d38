"""The columns of vote files: LMArena's, and Parley's own under a prefix."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from parley.features.vote_files.limits import COLUMNS
from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean

FileRow: TypeAlias = Mapping[str, object]
"""A row by column, as its file has it."""

ColumnType: TypeAlias = Literal[
    "text", "int", "float", "bool", "words", "style", "elo", "model", "conversation"
]

EXPORTED: dict[str, ColumnType] = {
    "question_id": "text",
    "model_a": "text",
    "model_b": "text",
    "winner": "text",
    "judge": "text",
    "turn": "int",
    "anony": "bool",
    "language": "text",
    "tstamp": "float",
    "category": "words",
    "conv_metadata": "style",
    "parley_id": "text",
    "parley_kind": "text",
    "parley_counted": "bool",
    "parley_reason": "text",
    "parley_excluded": "text",
    "parley_propensity": "float",
    "parley_categories": "words",
    "parley_categories_by": "text",
    "parley_prompt_sha256": "text",
    "parley_read_ms": "int",
    "parley_model_a": "model",
    "parley_model_b": "model",
    "parley_elo": "elo",
}
"""Every exported column with its type, in order; `TEXTS` follow on request."""

TEXTS: dict[str, ColumnType] = {
    "conversation_a": "conversation",
    "conversation_b": "conversation",
    "parley_comment": "text",
}

NEEDED = ("model_a", "model_b", "winner")
"""Columns without which a file holds no votes."""

READ = (*EXPORTED, *TEXTS, "id", "timestamp", "is_code", "category_tag", "judge_hash")
"""Every column that an import reads; the last five occur in LMArena's files only."""

WINNERS = {"left": "model_a", "right": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}
"""LMArena's words for choices."""

STYLE = {
    "tokens": "sum_assistant_{}_tokens",
    "headers": "header_count_{}",
    "lists": "list_count_{}",
    "bold": "bold_count_{}",
}
"""The fields of `conv_metadata` by feature of style; the placeholder is the side, a or b."""

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
            there = f"Its columns are {_shown(known)}." if known else "The file is empty."
            raise Invalid("file", f"{name} has no column {' and no column '.join(missing)}.", there)

    return check


def refuse_columns(name: str, line: int, number: int) -> None:
    """Raise Invalid if a file has too many columns in a line."""
    if number > COLUMNS:
        raise Invalid(
            "file",
            f"{name}:{line}: the file has more than {COLUMNS:,} columns.",
            "Remove columns that don't belong to votes.",
        )


def refuse_repeated(name: str, header: Iterable[str]) -> None:
    """Raise Invalid if a named column occurs twice."""
    for column, times in Counter(filter(None, header)).items():
        if times > 1:
            title = f"{name} has the column “{column[:NAME_SHOWN]}” twice."
            raise Invalid("file", title, "Rename one of the two.")


def _shown(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - NAMES_SHOWN:,} more" if len(ordered) > NAMES_SHOWN else ""
    return ", ".join(name[:NAME_SHOWN] for name in ordered[:NAMES_SHOWN]) + more
