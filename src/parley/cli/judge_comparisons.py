"""Comparisons of two answers, with the vote of a person where there is one, from a file of votes with texts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import msgspec

from parley.features.vote_files.columns import NEEDED, needed_columns
from parley.features.vote_files.formats import format_of
from parley.features.vote_files.lmarena import Texts, json_cell, lmarena_categories, texts_of
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid
from parley.kernel.request import MAX_PROMPT_CHARS
from parley.ratings.outcomes import Outcome, outcome_of
from parley.text.folding import folded
from parley.text.verdicts import judge_prompt

MODELS = ("model_a", "model_b")
TEXTS = (("conversation_a", "conversation_b"), ("prompt", "response_a", "response_b"))
ONE_HOT = {"winner_model_a": Outcome.WIN, "winner_model_b": Outcome.LOSS, "winner_tie": Outcome.TIE}
"""Kaggle's columns: the one that is 1 says who won."""

CATEGORIES = ("category", "parley_categories", "language", "is_code", "turn", "category_tag")
STANDING = ("parley_counted", "parley_kind", "parley_reason", "parley_excluded")
VOTERS = ("judge", "judge_hash")
WANTED = (
    *MODELS,
    "winner",
    *ONE_HOT,
    *(name for each in TEXTS for name in each),
    *CATEGORIES,
    *STANDING,
    *VOTERS,
)

PICTURES = "vision"
"""The category of prompts with a picture, which a judge of texts does not see."""

OPEN = (None, "open", "unrated")
"""Why an open vote is not counted that nothing else is wrong with."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A question, two answers and their models; `outcome` and `voter` are null where nobody voted, or it is unknown."""

    question: str
    left: str
    right: str
    left_model: str
    right_model: str
    prompt: str
    """The first prompt, folded: comparisons that share it are not independent."""

    outcome: Outcome | None = None
    voter: str | None = None
    categories: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The name of the two texts, whichever side each answer was on."""
        return msgspec.json.encode([self.question, *sorted((self.left, self.right))]).decode()

    @property
    def swapped(self) -> bool:
        """True if the right answer is the first one of `key`."""
        return self.right < self.left


class ComparisonSet(msgspec.Struct, frozen=True):
    """Comparisons, and how many rows are none, by reason."""

    comparisons: tuple[Comparison, ...]
    left_out: dict[str, int]


def read_comparisons(path: Path, *, name: str | None = None) -> ComparisonSet:
    """Read a file of votes with texts in LMArena's columns; rows without a winner are comparisons without a vote.

    Raises Invalid if the file can't be read, or lacks a column.
    """
    rows = VoteRows(path, format_of(path.name), _check, name=name, columns=WANTED)
    comparisons: list[Comparison] = []
    left_out = Counter[str]()
    for _, row in rows:
        comparison = row if isinstance(row, str) else _comparison(row)
        if isinstance(comparison, str):
            left_out[comparison] += 1
        else:
            comparisons.append(comparison)
    return ComparisonSet(tuple(comparisons), dict(left_out))


def comparison_of(texts: Texts, **more: Any) -> Comparison | str:
    """Return a comparison with its texts, several turns being numbered, or why a judge can't read it."""
    question, left, right = (_joined(each) for each in texts)
    if left == right:
        return "both answers are the same"
    if len(judge_prompt(question, left, right)) > MAX_PROMPT_CHARS:
        return f"its texts have more than {MAX_PROMPT_CHARS:,} characters together"
    return Comparison(question=question, left=left, right=right, prompt=folded(texts.prompts[0]), **more)


def _check(name: str, columns: Iterable[str]) -> None:
    known = set(columns)
    needed_columns(MODELS if ONE_HOT.keys() <= known else NEEDED)(name, known)
    if not any(known.issuperset(each) for each in TEXTS):
        either = " or ".join(", ".join(each) for each in TEXTS)
        raise Invalid("votes", f"{name} has no texts to judge.", f"It needs the columns {either}.")


def _comparison(row: Mapping[str, object]) -> Comparison | str:
    """Return the comparison of a row, or why it is none."""
    models = [row.get(name) for name in MODELS]
    left_model, right_model = (it.strip() if isinstance(it, str) else "" for it in models)
    if not left_model or not right_model or left_model == right_model:
        return "it does not name two models"
    texts = texts_of(row)
    if texts is None:
        return "its texts are not there"
    if not _stands(row):
        return "its vote does not count"
    categories = _categories(row)
    if PICTURES in categories:
        return "it has a picture"
    word = row.get("winner")
    outcome = _one_hot(row) if word in (None, "") else outcome_of(word)
    if outcome is None and word not in (None, ""):
        return "winner is not model_a, model_b, tie or tie (bothbad)"
    voter = next((str(it) for name in VOTERS if (it := row.get(name)) not in (None, "")), None)
    return comparison_of(
        texts,
        left_model=left_model,
        right_model=right_model,
        outcome=outcome,
        voter=None if outcome is None else voter,
        categories=categories,
    )


def _one_hot(row: Mapping[str, object]) -> Outcome | None:
    return next(
        (it for name, it in ONE_HOT.items() if str(row.get(name)).lower() in ("1", "1.0", "true")), None
    )


def _stands(row: Mapping[str, object]) -> bool:
    """Return whether a vote counts, or is an open one that was not taken back or replaced."""
    if row.get("parley_excluded") not in (None, ""):
        return False
    counted = str(row.get("parley_counted", True)).lower() == "true"
    return counted or (row.get("parley_kind") == "open" and (row.get("parley_reason") or None) in OPEN)


def _categories(row: Mapping[str, object]) -> tuple[str, ...]:
    categories = set(lmarena_categories(row))
    for name in ("category", "parley_categories"):
        value = json_cell(row.get(name))
        each = cast("list[object]", value) if isinstance(value, list) else [value]
        categories |= {it for it in each if isinstance(it, str) and it}
    return tuple(sorted(categories))


def _joined(texts: tuple[str, ...]) -> str:
    """Return one text as it is, several with the number of their turn."""
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(f"[Turn {number}]\n{text}" for number, text in enumerate(texts, 1))
