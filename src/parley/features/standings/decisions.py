"""Decisions: how sure it is that one model is better than another."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from parley.features.standings.live_tables import FitKey, LiveTables
from parley.features.standings.schemas import DecisionView
from parley.text.categories.ids import OVERALL

if TYPE_CHECKING:
    from parley.features.standings.refit import FittedTable
    from parley.ratings.bradley_terry import Fit
    from parley.ratings.decision import Decision

QUICK_MODELS = 40
"""Up to so many models can be refitted dozens of times within a request."""

REST = 10.0
"""A slow search rests for so many times its duration."""


class Decisions:
    """Decides pairs from the live tables; searches that take seconds run in the background."""

    def __init__(self, tables: LiveTables) -> None:
        self._tables = tables
        self._flips: dict[FitKey, tuple[FittedTable, str, int | None]] = {}
        self._searches: dict[FitKey, asyncio.Task[None]] = {}
        self._search_after: dict[FitKey, float] = {}

    async def top(self, key: FitKey, models: Sequence[str]) -> DecisionView | None:
        """Return the decision between a table's top two models; None without two or a fit."""
        if len(models) != 2:
            return None
        fitted, decision = await self._decide(key, *models)
        flip_votes = None
        # Votes are removed from a fit without style, which differs from the table with style control.
        if fitted is not None and decision and decision.comparable and key[1] == "bradley-terry":
            flip_votes = await self._flip_votes(key, fitted, decision.model)
        return _view(decision, flip_votes)

    async def pair(self, one: str, other: str) -> DecisionView | None:
        """Return the decision between any two models by all counted votes; None where one has none.

        With many models the votes that would reverse it are not searched for.
        """
        fitted, decision = await self._decide((OVERALL, "bradley-terry", False), one, other)
        votes = None
        if fitted is not None and fitted.fit and decision and len(fitted.table.lines) <= QUICK_MODELS:
            from parley.ratings.decision import fewest_votes_to_turn

            votes = await asyncio.to_thread(fewest_votes_to_turn, fitted.fit, decision.model, decision.other)
        return _view(decision, votes)

    @staticmethod
    async def of(fitted: "FittedTable", models: Sequence[str]) -> DecisionView | None:
        """Return the decision between the top two models of a table that is none of the live ones."""
        if len(models) != 2 or fitted.fit is None or (decision := _decided(fitted, *models)) is None:
            return None
        quick = decision.comparable and len(fitted.table.lines) <= QUICK_MODELS
        return _view(
            decision, await asyncio.to_thread(_votes_to_flip, fitted.fit, decision.model) if quick else None
        )

    def close(self) -> None:
        """Cancel running searches."""
        for task in self._searches.values():
            task.cancel()

    async def _decide(
        self, key: FitKey, one: str, other: str
    ) -> "tuple[FittedTable | None, Decision | None]":
        fitted = await self._tables.fitted(key)
        if fitted is None or fitted.fit is None or one == other:
            return None, None
        return fitted, _decided(fitted, one, other)

    async def _flip_votes(self, key: FitKey, fitted: "FittedTable", top: str) -> int | None:
        """Return the fewest votes whose removal would change the top model.

        While a slow search runs it is the last known answer, or None.
        """
        known = self._flips.get(key)
        if known is not None and known[0] is fitted and known[1] == top:
            return known[2]
        if len(fitted.table.lines) <= QUICK_MODELS:
            return await self._search(key, fitted, top)
        if key not in self._searches and _now_s() >= self._search_after.get(key, 0.0):
            search = self._search_slowly(key, fitted, top)
            self._searches[key] = asyncio.create_task(search, name="parley-flip-votes")
        return known[2] if known is not None and known[1] == top else None

    async def _search(self, key: FitKey, fitted: "FittedTable", top: str) -> int | None:
        votes = await asyncio.to_thread(_votes_to_flip, fitted.fit, top) if fitted.fit else None
        self._flips[key] = (fitted, top, votes)
        return votes

    async def _search_slowly(self, key: FitKey, fitted: "FittedTable", top: str) -> None:
        began = _now_s()
        try:
            await self._search(key, fitted, top)
        finally:
            self._search_after[key] = _now_s() + REST * (_now_s() - began)
            del self._searches[key]


def _decided(fitted: "FittedTable", one: str, other: str) -> "Decision | None":
    """Return the decision between two models of a table; None where one has no votes."""
    from parley.ratings.decision import decide
    from parley.ratings.intervals import anytime_half_widths

    if fitted.fit is None or one not in fitted.fit.pairs.models or other not in fitted.fit.pairs.models:
        return None
    return decide(fitted.fit, one, other, errors=anytime_half_widths)


def _votes_to_flip(fit: "Fit", top: str) -> int | None:
    from parley.ratings.decision import fewest_votes_to_flip

    flip = fewest_votes_to_flip(fit)
    return flip.votes if flip is not None and flip.top == top else None


def _view(decision: "Decision | None", flip_votes: int | None) -> DecisionView | None:
    if decision is None:
        return None
    return DecisionView(
        model=decision.model,
        other=decision.other,
        lead=round(decision.lead, 4),
        lead_low=round(decision.lead - decision.margin, 4) if decision.comparable else None,
        lead_high=round(decision.lead + decision.margin, 4) if decision.comparable else None,
        better=round(decision.better, 6),
        decided=decision.decided,
        comparable=decision.comparable,
        votes_needed=decision.votes_needed,
        flip_votes=flip_votes,
    )


def _now_s() -> float:
    return asyncio.get_running_loop().time()
