"""Improves a prompt: a search on open rows, then one measurement on the rows held out."""

import difflib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

import msgspec

from parley.features.lab.improve.rows import Evaluate, HoldOut, OpenRow, Texts
from parley.features.lab.improve.searching import (
    Budget,
    Candidate,
    Progress,
    SearchResult,
    problem_of,
    search,
)
from parley.features.lab.runs.figures import Difference, difference_of
from parley.kernel.errors import Invalid, ParleyError, Problem

LEAST_HELD_OUT = 10


class Improvement(msgspec.Struct, frozen=True, kw_only=True):
    """The result: the candidates, the best one, and the difference to the first on unseen rows, in a sentence.

    `rows` is 0 if nothing was measured: no better prompt was found, or the search broke off.
    """

    candidates: tuple[Candidate, ...]
    best: int
    sentence: str
    rows: int = 0
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    answers: int = 0
    reflections: int = 0
    problem: Problem | None = None


async def improve(
    seed: Texts,
    training: Sequence[OpenRow],
    validation: Sequence[OpenRow],
    holdout: HoldOut,
    evaluate: Evaluate,
    reflect: Callable[[str], Coroutine[Any, Any, str]],
    budget: Budget,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Improvement:
    """Search for a better prompt, and measure it on the rows held out. Cancelling stops what is being asked.

    Besides the budget's answers, it asks for two for each row held out. Raises Invalid before anything is sent.
    """
    if len(holdout) < LEAST_HELD_OUT:
        raise Invalid(
            "rows",
            f"Improve needs at least {LEAST_HELD_OUT} rows that are held out; there are {len(holdout)}.",
            "Nothing was sent. Set the split of more rows to hold-out.",
        )
    holdout.refuse_leaks([*training, *validation])
    searched = await search(seed, training, validation, evaluate, reflect, budget, progress)
    if searched.problem is not None or searched.best.number == 0:
        return _unmeasured(searched)
    try:
        first = await holdout.measure(searched.candidates[0].texts, evaluate)
        second = await holdout.measure(searched.best.texts, evaluate)
    except (ParleyError, ExceptionGroup) as error:
        return _unmeasured(msgspec.structs.replace(searched, problem=problem_of(error)), measuring=True)
    compared = difference_of(_by_row(first), _by_row(second))
    return Improvement(
        candidates=searched.candidates,
        best=searched.best.number,
        sentence=sentence(compared),
        rows=compared.rows,
        difference=compared.mean,
        low=compared.low,
        high=compared.high,
        p=compared.p,
        answers=searched.answers + len(first) + len(second),
        reflections=searched.reflections,
    )


def sentence(compared: Difference) -> str:
    """Return “+6.1 points, 95% interval 1.9 to 10.2, on 80 unseen rows”, and if that settles anything."""
    mean, low, high = (100 * (value or 0.0) for value in (compared.mean, compared.low, compared.high))
    settled = "" if low > 0 or high < 0 else " This could be chance."
    return (
        f"{mean:+.1f} points, 95% interval {low:.1f} to {high:.1f}, on {compared.rows} unseen rows.{settled}"
    )


def changes(candidate: Candidate, parent: Candidate) -> Mapping[str, str]:
    """Return the unified differences of the texts that changed, by their place."""
    return {
        name: "\n".join(
            difflib.unified_diff(parent.texts[name].splitlines(), text.splitlines(), lineterm="", n=2)
        )
        for name, text in candidate.texts.items()
        if text != parent.texts[name]
    }


def _unmeasured(searched: SearchResult, *, measuring: bool = False) -> Improvement:
    if searched.problem is not None and measuring:
        text = f"A prompt with a higher score was found, but not measured on unseen rows: {searched.problem.title}"
    elif searched.problem is not None:
        text = f"The search stopped early: {searched.problem.title} Nothing was measured on unseen rows."
    else:
        text = (
            f"No better prompt was found with {searched.answers:,} answers. The rows held out were not used."
        )
    return Improvement(
        candidates=searched.candidates,
        best=searched.best.number if searched.candidates else 0,
        sentence=text,
        answers=searched.answers,
        reflections=searched.reflections,
        problem=searched.problem,
    )


def _by_row(scores: Sequence[float]) -> dict[int, list[float]]:
    return {place: [score] for place, score in enumerate(scores)}
