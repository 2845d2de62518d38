"""Public priors: an operator starts the leaderboard from published results, looks at them, and removes them."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path

from parley.features.standings.accumulators import CrowdVotes
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.prior_file import match, read_published
from parley.features.standings.prior_schemas import (
    BoardPrior,
    PriorContent,
    PriorSettings,
    PriorSource,
    PublicPriorState,
    PublicPriorView,
    digest_text,
)
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.replay import read_votes
from parley.features.standings.repository import REPLAY, StandingsRepository
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.model_names import ModelNames
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.ratings.lines import PriorForecast
from parley.storage.database import Database, Transaction
from parley.text.categories.ids import OVERALL

SOURCE_CHARS = 200

log = logging.getLogger(__name__)


class PublicPriors:
    """The public prior of the main table: overall, Bradley-Terry. Changes are in the audit log."""

    def __init__(
        self,
        *,
        database: Database,
        tables: LiveTables,
        known: Callable[[], Mapping[str, Iterable[str]]],
        wake: Callable[[], None],
    ) -> None:
        """`known` returns the names of each model by its id; `wake` is called after each change."""
        self._database = database
        self._tables = tables
        self._known = known
        self._wake = wake

    async def read(self, *, examine: bool = False) -> PublicPriorState:
        """Return the prior. With `examine` the forecast is made now, from all votes. Raises DatabaseBusy."""
        await self._tables.load()
        prior = self._tables.snapshot.prior
        if prior is None:
            return PublicPriorState(None)
        forecast = await self._forecast(prior) if examine else self._tables.snapshot.forecast_of(prior)
        content = prior.content
        shown = board_prior(prior, self._tables.snapshot.models_with_votes(), self._own_votes(), forecast)
        return PublicPriorState(
            PublicPriorView(
                source=shown.source,
                weight=shown.weight,
                in_use=shown.in_use,
                own_votes=shown.own_votes,
                forecast=shown.forecast,
                published=content.published,
                usable=_usable(content),
                matched=list(content.matched),
                unmatched=list(content.unmatched),
                unmatched_names=content.unmatched_names,
                sha256=prior.sha256,
                set_at=prior.set_at.isoformat(),
            )
        )

    async def set(
        self,
        caller: Caller,
        path: Path,
        kind: Format,
        name: str,
        request: PriorSettings,
        limits: FileLimits | None = None,
    ) -> PublicPriorState:
        """Start the leaderboard from a file of published results, in place of an earlier one. Raises Invalid."""
        source = request.source.strip() or name
        if len(source) > SOURCE_CHARS or not source.isprintable():
            raise Invalid("source", f"source: must be one line of at most {SOURCE_CHARS} characters.")
        published = await asyncio.to_thread(read_published, path, kind, name, limits)
        await self._tables.load()
        voted_on = {model: (model,) for model in self._tables.snapshot.models_with_votes()}
        names = ModelNames({**voted_on, **self._known()})
        content = await asyncio.to_thread(match, published, names, request.models, name)
        await asyncio.to_thread(_check_weight, content, request.weight)
        digest = hashlib.sha256(digest_text(source, request.weight, content)).hexdigest()
        prior = PriorSource(
            source=source,
            weight=float(request.weight),
            content=content,
            sha256=digest,
            set_at=self._tables.now(),
        )
        await self._database.write(lambda transaction: _store(transaction, prior, caller, prior.set_at))
        log.info("%s starts the leaderboard from “%s”, counting as %g votes", caller, source, prior.weight)
        return await self._changed()

    async def remove(self, caller: Caller) -> PublicPriorState:
        """Remove the prior. Raises NotFound where there is none."""
        now = self._tables.now()

        def remove(transaction: Transaction) -> None:
            if StandingsRepository(transaction).prior(OVERALL) is None:
                raise NotFound(
                    "The leaderboard starts from no published results.",
                    "Nothing was changed.",
                    code="no_public_prior",
                )
            _store(transaction, None, caller, now)

        await self._database.write(remove)
        log.info("%s removes the published results that the leaderboard started from", caller)
        return await self._changed()

    async def _changed(self) -> PublicPriorState:
        self._wake()
        prior = await self._database.read(lambda transaction: StandingsRepository(transaction).prior(OVERALL))
        # The worker loads the rest; until then tables are of the one before.
        self._tables.snapshot.prior = prior
        return await self.read()

    def _own_votes(self) -> int:
        return self._tables.snapshot.votes(OVERALL)

    async def _forecast(self, prior: PriorSource) -> PriorForecast | None:
        crowd = CrowdVotes()
        async for rows in read_votes(self._database, self._tables.snapshot.last_seq):
            for row in rows:
                if (vote := rated_vote(row)) is not None:
                    crowd.add(vote, row.voter_id, row.propensity)
        from parley.features.standings.refit import forecast_with

        return await asyncio.to_thread(forecast_with, crowd, prior)


def board_prior(
    prior: PriorSource, models: Iterable[str], own_votes: int, forecast: PriorForecast | None
) -> BoardPrior:
    """Return what a table says of the prior that it starts from; `models` are those with own votes."""
    known, content = frozenset(models), prior.content
    used = sum(sum(row[2:]) for row in content.rows if row[0] in known and row[1] in known)
    return BoardPrior(
        source=prior.source,
        weight=prior.weight,
        in_use=round(prior.weight * used / _usable(content), 4),
        own_votes=own_votes,
        forecast=forecast,
    )


def _usable(content: PriorContent) -> float:
    return sum(sum(row[2:]) for row in content.rows)


def _check_weight(content: PriorContent, weight: float) -> None:
    from parley.ratings.public_prior import PublishedPair, public_prior

    public_prior((PublishedPair(*row) for row in content.rows), weight)


def _store(transaction: Transaction, prior: PriorSource | None, caller: Caller, now: datetime) -> None:
    """Store a prior, or that there is none, with its entry in the audit log; the tables follow."""
    repository = StandingsRepository(transaction)
    version = repository.lock()
    repository.put_prior(OVERALL, prior, str(caller)[:64], now)
    repository.set_status(version=version + 1, status="running")
    repository.set_status(REPLAY, status="due")
