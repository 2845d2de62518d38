"""Use cases of Auto: fill a seat before its turn begins, keep the reasons, and replay past questions."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from parley.engine.gateway import Gateway
from parley.features.arena.new_turns import Started
from parley.features.arena.routing import AUTO, RequestT, Routed
from parley.features.arena.schemas import StartMatch, StartSession
from parley.features.auto.choosing import (
    BY_MODEL,
    NO_RATING,
    TOO_DEAR,
    UNSURE,
    AutoContext,
    AutoPolicy,
    AutoQuestion,
    Candidate,
    Decision,
    Rating,
    choose,
    guess_of,
    why_none,
)
from parley.features.auto.kinds import CATEGORY_OF, Guess, Kind
from parley.features.auto.lessons import AutoLessons
from parley.features.auto.presets import AutoPresets, Presets
from parley.features.auto.replaying import DAYS, PastQuestion, summed_up
from parley.features.auto.repository import AutoRepository
from parley.features.auto.schemas import AutoReplay, RoutedTurn, RoutedTurns, SetPolicy
from parley.features.auto.tables import AutoDecisionRow, AutoPolicyRow
from parley.features.auto.telling import KindModel
from parley.features.catalog.service import CatalogService
from parley.features.standings.leaderboard import LeaderboardQueries
from parley.features.standings.schemas import TableQuery
from parley.features.tables.loading import kind_of as table_kind
from parley.features.tables.service import TablesService
from parley.features.tools.service import SessionToolbox
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.inputs import TurnInput, attached_to, text_of
from parley.kernel.models import Model
from parley.kernel.ports import Clock
from parley.kernel.rates import CallerQuotas
from parley.storage.database import Database
from parley.text.categories.ids import OVERALL

RATINGS_FOR_S = 30.0
MOST_RATED = 100
MOST_REPLAYED = 2_000
CHARACTERS_PER_TOKEN = 4
CARD_TOKENS = 1_000
"""The tokens of a table that a model with tools reads: its card."""
NO_PRESETS = Presets()
OWN_SOURCES = frozenset(("tables", "python"))


class AutoService:
    """Implements the arena's `SeatRouter`."""

    def __init__(
        self,
        *,
        database: Database,
        catalog: CatalogService,
        gateway: Gateway,
        leaderboard: LeaderboardQueries,
        tables: TablesService,
        toolbox: SessionToolbox,
        clock: Clock,
        lessons: AutoLessons,
        kinds: KindModel,
        presets: AutoPresets,
        quotas: Callable[[], CallerQuotas],
    ) -> None:
        self._database = database
        self._catalog = catalog
        self._gateway = gateway
        self._leaderboard = leaderboard
        self._tables = tables
        self._toolbox = toolbox
        self._clock = clock
        self._lessons = lessons
        self._kinds = kinds
        self._presets = presets
        self._quotas = quotas
        self._rated: dict[str, tuple[float, dict[str, Rating], dict[str, int | None]]] = {}

    async def route(
        self, caller: Caller, session_id: str | None, request: RequestT
    ) -> tuple[RequestT, Routed | None]:
        """Fill the seat of a chat that is left to Auto. Raises Invalid if no model can answer."""
        if request.mode != "chat" or AUTO not in (request.seats or {}).values():
            return request, None
        policy = await self.policy(caller)
        question, context = await self._situation(caller, session_id, request)
        decision = await self._choose(caller, question, context, policy)
        if decision.mode == "battle" and not isinstance(request, StartMatch):
            request = request.model_copy(update={"mode": "battle", "seats": None, "seat_settings": None})
        elif decision.target is None:
            raise Invalid(
                "seats", "No model can answer this question.", why_none(decision), code="no_model_fits"
            )
        else:
            seats = {
                name: decision.target if model == AUTO else model
                for name, model in (request.seats or {}).items()
            }
            request = request.model_copy(update={"seats": seats})

        async def keep(started: Started) -> None:
            row = AutoDecisionRow(
                turn_id=started.turn_id,
                session_id=started.session_id,
                owner_id=caller.person_id,
                kind=decision.kind,
                target=decision.target,
                probability=decision.probability,
                decision=msgspec.to_builtins(decision),
                created_at=self._now(),
            )
            await self._database.write(lambda transaction: AutoRepository(transaction).add(row))

        return request, keep

    async def decide(
        self,
        caller: Caller,
        question: AutoQuestion,
        context: AutoContext,
        usable: Callable[[Model], bool],
    ) -> Decision:
        """Return which of the usable models answers a program's question; it is never a battle."""
        policy = msgspec.structs.replace(await self.policy(caller), rest="best", presets={})
        return await self._choose(caller, question, context, policy, usable)

    async def policy(self, caller: Caller) -> AutoPolicy:
        """Return what counts for the caller."""
        row = await self._database.read(
            lambda transaction: AutoRepository(transaction).policy(caller.person_id)
        )
        if row is None:
            return AutoPolicy()
        values = {name: getattr(row, name) for name in AutoPolicy.__struct_fields__}
        return msgspec.convert(values, AutoPolicy)

    async def set_policy(self, caller: Caller, request: SetPolicy) -> AutoPolicy:
        """Store what counts for the caller."""
        row = AutoPolicyRow(owner_id=caller.person_id, **request.model_dump())
        await self._database.write(lambda transaction: AutoRepository(transaction).set_policy(row))
        return await self.policy(caller)

    async def routed(self, caller: Caller, session_id: str) -> RoutedTurns:
        """Return the routed turns of the caller's session."""
        rows = await self._decisions(caller, session_id)
        used = await self._database.read(
            lambda transaction: AutoRepository(transaction).used(caller.person_id, session_id)
        )
        return RoutedTurns(
            [
                RoutedTurn(row.turn_id, msgspec.convert(row.decision, Decision), used.get(row.turn_id))
                for row in rows
            ]
        )

    async def replay(self, caller: Caller) -> AutoReplay:
        """Return what Auto would have done with the caller's chats of the last days.

        Nothing is asked, and lessons are left out: they were learned from these very questions.
        """
        policy, since = await self.policy(caller), self._now() - timedelta(days=DAYS)
        turns = await self._database.read(
            lambda transaction: AutoRepository(transaction).questions(caller.person_id, since, MOST_REPLAYED)
        )
        ids = [turn.id for turn in turns]
        calls = await self._database.read(lambda transaction: AutoRepository(transaction).calls(ids))
        past: list[PastQuestion] = []
        presets = await self._presets.of(caller, policy)
        for turn in turns:
            turn_input = msgspec.convert(turn.input, TurnInput)
            files = attached_to(turn_input)
            table = any(table_kind(file.name, file.media_type) for file in files)
            question = AutoQuestion(
                text=text_of(turn_input),
                tokens=len(text_of(turn_input)) // CHARACTERS_PER_TOKEN + sum(file.tokens for file in files),
                picture=any(file.text_sha256 is None for file in files),
                fresh_table=table,
            )
            context = AutoContext(tables=("table",) if table else (), columns=("table",) if table else ())
            ratings, waits = await self._ratings(CATEGORY_OF.get(guess_of(question, context).kind, OVERALL))
            cards = self._cards(waits, caller, presets=presets)
            decision = choose(question, context, cards, ratings, policy)
            past.append(
                PastQuestion(
                    turn_id=turn.id,
                    session_id=turn.session_id,
                    text=question.text,
                    calls=tuple(call for call in calls if call.turn_id == turn.id),
                    decision=decision,
                    rated=ratings,
                )
            )
        overall, _ = await self._ratings(OVERALL)
        prices = {**{model.id: model.prices for model in self._catalog.models()}, **presets.prices}
        return summed_up(past, policy, self._cards({}, caller, presets=presets), prices, overall)

    async def count(self, caller: Caller) -> int:
        """Return how many decisions the caller has."""
        return await self._database.read(
            lambda transaction: AutoRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Delete the caller's decisions; return how many."""
        return await self._database.write(
            lambda transaction: AutoRepository(transaction).remove_all(caller.person_id)
        )

    async def _choose(
        self,
        caller: Caller,
        question: AutoQuestion,
        context: AutoContext,
        policy: AutoPolicy,
        usable: Callable[[Model], bool] = lambda _: True,
    ) -> Decision:
        """Return who answers, with a small model's word on an unsure kind, and what was learned from the caller."""
        guess = guess_of(question, context)
        if guess.confidence < UNSURE and (by_model := await self._kinds.kind(caller, question.text, context)):
            question, guess = (
                msgspec.structs.replace(question, by_model=by_model),
                Guess(by_model, BY_MODEL, ""),
            )
        money = (await self._quotas().of(caller)).money
        context = msgspec.structs.replace(
            context, private_only=policy.local_only, budget_micros=money.left if money else None
        )
        ratings, waits = await self._ratings(CATEGORY_OF.get(guess.kind, OVERALL))
        points = (await self._lessons.of(caller)).points(question.text, guess.kind)
        for model, learned in points.items():
            known = ratings.get(model, NO_RATING)
            ratings = {**ratings, model: msgspec.structs.replace(known, learned=learned)}
        cards = self._cards(waits, caller, usable, await self._presets.of(caller, policy))
        decision = choose(question, context, cards, ratings, policy)
        if not decision.can and TOO_DEAR in decision.rejected.values():
            # The allowance's own refusal says when there is more.
            unlimited = msgspec.structs.replace(context, budget_micros=None)
            decision = choose(question, unlimited, cards, ratings, policy)
        return decision

    async def _situation(
        self, caller: Caller, session_id: str | None, request: StartSession
    ) -> tuple[AutoQuestion, AutoContext]:
        """Return the question and where it is asked."""
        wanted = [each.sha256 for each in request.attachments]
        files = await self._database.read(
            lambda transaction: AutoRepository(transaction).files(caller.person_id, wanted)
        )
        names = {each.sha256: each.name for each in request.attachments}
        fresh = [file for file in files if table_kind(names.get(file.sha256) or file.name, file.media_type)]
        described = await self._tables.describe(caller.person_id, session_id) if session_id else None
        cards = described.tables if described else []
        listed = await self._toolbox.everything(caller)
        earlier = await self._decisions(caller, session_id) if session_id else ()
        goes_on = isinstance(request, StartMatch) and bool(request.continue_from)
        last = earlier[-1] if earlier and goes_on else None
        columns = [column.name for card in cards for column in card.columns]
        context = AutoContext(
            tables=(*(card.table for card in cards), *(file.name for file in fresh)),
            columns=(*columns, *(file.name for file in fresh)),
            tools=tuple(
                f"{tool.name} {tool.description}"
                for tool in listed.tools
                if tool.enabled and tool.source not in OWN_SOURCES
            ),
            last_model=last.target if last else None,
            last_kind=_kind(last.kind) if last else None,
        )
        question = AutoQuestion(
            text=request.prompt,
            tokens=len(request.prompt) // CHARACTERS_PER_TOKEN
            + sum(CARD_TOKENS if file in fresh else file.tokens for file in files),
            table_tokens=sum(file.tokens for file in fresh),
            picture=any(file.text_sha256 is None for file in files),
            fresh_table=bool(fresh),
        )
        return question, context

    async def _decisions(self, caller: Caller, session_id: str) -> Sequence[AutoDecisionRow]:
        return await self._database.read(
            lambda transaction: AutoRepository(transaction).decisions(caller.person_id, session_id)
        )

    async def _ratings(self, category: str) -> tuple[dict[str, Rating], dict[str, int | None]]:
        """Return the ratings in a category and the usual waits, by model; at most half a minute old.

        Where nobody has voted in the category, the overall ones count.
        """
        at, ratings, waits = self._rated.get(category, (float("-inf"), {}, {}))
        if time.monotonic() - at > RATINGS_FOR_S:
            page = await self._leaderboard.page(TableQuery(category=category, limit=MOST_RATED, min_votes=1))
            for line in page.lines:
                half = (
                    (line.ci_upper - line.ci_lower) / 2
                    if line.ci_upper is not None and line.ci_lower is not None
                    else 0.0
                )
                ratings[line.model.id] = Rating(line.rating, half)
                waits[line.model.id] = line.ttft_p50_ms
            self._rated[category] = (time.monotonic(), ratings, waits)
        return (ratings, waits) if ratings or category == OVERALL else await self._ratings(OVERALL)

    def _cards(
        self,
        waits: Mapping[str, int | None],
        caller: Caller,
        usable: Callable[[Model], bool] = lambda _: True,
        presets: Presets = NO_PRESETS,
    ) -> list[Candidate]:
        models = [
            each for each in self._catalog.models() if each.enabled and each.kind == "single" and usable(each)
        ]
        singles = [
            Candidate(
                id=each.id,
                name=each.name,
                capabilities=frozenset(each.capabilities),
                context_window=each.context_window,
                price_in=each.prices.input if each.prices else 0.0,
                price_out=each.prices.output if each.prices else 0.0,
                wait_ms=waits.get(each.id),
                local=each.local,
                down=self._gateway.is_down(each) or not self._gateway.may_ask(each, caller),
            )
            for each in models
            if "text" in each.capabilities
        ]
        timed = (msgspec.structs.replace(each, wait_ms=waits.get(each.id)) for each in presets.candidates)
        return [*singles, *timed]

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _kind(name: str) -> Kind:
    return msgspec.convert(name, Kind)
