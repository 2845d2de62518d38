"""The arena's use cases: begin sessions, matches and turns; follow, stop and retry turns."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec
from pydantic import ValidationError

from parley.engine.feed import Feed
from parley.engine.hub import Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.runner import Runner
from parley.features.arena.checks import check_input, check_seat, check_stoppable, mode_gone
from parley.features.arena.elsewhere import Elsewhere, feed_of
from parley.features.arena.matchmaker import Matchmaker
from parley.features.arena.new_turns import NewTurns, Started, StoredTurn, read_stored_turn
from parley.features.arena.quotes import Quote, make_quote
from parley.features.arena.reading import ArenaReader
from parley.features.arena.receipts import IdempotencyKey, once
from parley.features.arena.repository import ArenaRepository
from parley.features.arena.routing import NoRouter, SeatRouter, route
from parley.features.arena.schemas import (
    AskQuote,
    AttachmentReference,
    ChangeSeats,
    StartMatch,
    StartSession,
)
from parley.features.arena.sealed import INTERRUPTED, KEY_NEEDED, check_key, seal_of_request
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.events import TurnAdded, TurnSnapshot
from parley.kernel.ids import random_id
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import TurnInput
from parley.kernel.ports import Clock, TurnLog
from parley.kernel.sealing import Seal
from parley.kernel.views import MatchRecord
from parley.storage.database import Database, Transaction


class ArenaService:
    """Begins, follows, stops, resumes and retries turns.

    Nothing else starts a mode's `play`, through the engine's runner.
    """

    def __init__(
        self,
        *,
        database: Database,
        turn_log: TurnLog,
        runner: Runner,
        hub: Hub,
        matchmaker: Matchmaker,
        reader: ArenaReader,
        clock: Clock,
        elsewhere: Elsewhere,
    ) -> None:
        self._elsewhere = elsewhere
        self._database = database
        self._turn_log = turn_log
        self._runner = runner
        self._hub = hub
        self._matchmaker = matchmaker
        self.reader = reader
        self._clock = clock
        self._when_begun: list[Callable[[Caller, Started, str], None]] = []
        self._starting: dict[str, asyncio.Event] = {}
        self.router: SeatRouter = NoRouter()

    def when_begun(self, listener: Callable[[Caller, Started, str], None]) -> None:
        """Call a function with the first question of each new session, once its turn has started."""
        self._when_begun.append(listener)

    async def start_session(
        self, caller: Caller, request: StartSession, key: IdempotencyKey | None = None
    ) -> Started:
        """Begin a session with its first match and turn. Raises Invalid, Unavailable."""
        self._matchmaker.mode(request.mode)
        wraps = seal_of_request(caller.seal, request)
        request, routed = await route(self.router, caller, None, request)
        fresh = False

        def make(turns: NewTurns) -> StoredTurn:
            nonlocal fresh
            fresh = True
            return turns.in_new_session(request, wraps)

        started = await self._begin(caller, key, make)
        if routed:
            await routed(started)
        if fresh and caller.seal is None:
            for listener in self._when_begun:
                listener(caller, started, request.prompt)
        return started

    async def start_match(
        self, caller: Caller, session_id: str, request: StartMatch, key: IdempotencyKey | None = None
    ) -> Started:
        """Begin a new match in a session. Raises NotFound, Invalid, Conflict, Unavailable."""
        request, routed = await route(self.router, caller, session_id, request)
        started = await self._begin(caller, key, lambda turns: turns.in_new_match(session_id, request))
        if routed:
            await routed(started)
        return started

    async def start_turn(
        self,
        caller: Caller,
        match_id: str,
        turn_input: TurnInput,
        key: IdempotencyKey | None = None,
        *,
        change: ChangeSeats | None = None,
        files: Sequence[AttachmentReference] = (),
    ) -> Started:
        """Begin the next turn of a match, with any changes of seats and any files.

        Raises NotFound, Invalid, Conflict, Unavailable.
        """
        return await self._begin(caller, key, lambda turns: turns.next(match_id, turn_input, change, files))

    async def retry(
        self, caller: Caller, turn_id: str, key: IdempotencyKey | None = None, *, seat: str | None = None
    ) -> Started:
        """Retry the incomplete replies of a match's last turn, or one seat in any case.

        Raises NotFound, Invalid, Conflict.
        """

        def is_played() -> bool:
            here = turn_id in self._starting or self._live(turn_id) is not None
            return here or self._elsewhere.may_play

        return await self._begin(caller, key, lambda turns: turns.again(turn_id, is_played, seat=seat))

    async def interject(
        self, caller: Caller, turn_id: str, turn_input: TurnInput, key: IdempotencyKey | None = None
    ) -> Interjection:
        """Add an input to a running turn; the next round reads it. Raises NotFound, Invalid, Conflict."""
        interjection = await self._allowed(caller, turn_id, turn_input, key)
        if (started := self._starting.get(turn_id)) is not None:
            await started.wait()
        if await self._runner.interject(turn_id, interjection):
            return interjection
        if await self._elsewhere.plays(turn_id) and await self._elsewhere.interject(turn_id, interjection):
            return interjection
        known = (await self.read_turn(caller, turn_id)).turn.interjections
        if any(each.id == interjection.id for each in known):  # sent again, after the turn's end
            return interjection
        raise Conflict(
            "This turn has ended, so your message can't reach it.",
            "Nothing was saved. Send it as the next turn.",
            code="turn_not_running",
        )

    def quote(self, request: AskQuote) -> Quote:
        """Return the estimate for a turn without starting it. Raises Invalid, Unavailable."""
        return make_quote(self._matchmaker, request)

    async def stop(self, caller: Caller, turn_id: str, seat: str | None = None) -> TurnSnapshot:
        """Stop a turn or one of its seats; replies so far are saved. Stopping an ended turn changes nothing.

        Raises NotFound; for a seat, Conflict in a blind match and Invalid if there is no such seat.
        """
        await self.reader.check_turn(caller, turn_id)
        live = self._hub.turn(turn_id)
        if seat is None:
            await self._runner.stop(turn_id)
        elif live is not None:
            check_stoppable(seat, [each.name for each in live.script.seats], blind=live.blind)
            await self._runner.stop_seat(turn_id, seat)
        if await self._elsewhere.plays(turn_id):
            await self._elsewhere.stop(await self.read_turn(caller, turn_id), seat)
        return await self.read_turn(caller, turn_id)

    async def stop_session(self, session_id: str) -> None:
        """Stop every running turn of a session."""
        live = [turn.id for turn in self._hub.turns() if turn.script.session_id == session_id]
        await asyncio.gather(*(self._runner.stop(turn_id) for turn_id in live))
        await self._elsewhere.stop_session(session_id)

    async def read_turn(self, caller: Caller, turn_id: str) -> TurnSnapshot:
        """Return everything that the caller may see of a turn now. Raises NotFound."""
        return await self.reader.turn(caller, turn_id)

    async def read_matches(self, caller: Caller, session_id: str) -> tuple[MatchRecord, ...]:
        """Return a session's matches with their turns. Raises NotFound."""
        return await self.reader.matches(caller, session_id)

    async def wait(self, caller: Caller, turn_id: str) -> TurnSnapshot:
        """Wait until a turn has ended and return it. Raises NotFound."""
        live = self._hub.turn(turn_id)
        if live is not None:
            await live.finished.wait()
        if await self._elsewhere.plays(turn_id):
            async for _ in self._followed_elsewhere(caller, turn_id):
                pass
        return await self.read_turn(caller, turn_id)

    async def follow(self, caller: Caller, turn_id: str) -> Feed:
        """Return the feed of a turn's events: a snapshot, its events and one end. Raises NotFound."""
        live = self._live(turn_id)
        if live is None:
            snapshot = await self.read_turn(caller, turn_id)
            live = self._live(turn_id)
            if live is None:
                if await self._elsewhere.plays(turn_id):
                    return self._followed_elsewhere(caller, turn_id)
                return feed_of(snapshot)
        if live.script.owner_id != caller.person_id:
            raise NotFound("This turn doesn't exist.", "Its session may have been deleted.")
        check_key(live.script.seal, caller.seal)
        return live.follow()

    async def follow_session(self, caller: Caller, session_id: str) -> Feed:
        """Return the endless feed of a session's events outside its turns. Raises NotFound."""
        await self.reader.check_session(caller, session_id)
        return self._hub.follow_session(session_id, caller.member_id or "")

    async def resume(self) -> int:
        """Resume every interrupted turn without asking for finished replies again. Returns how many."""
        unfinished = await self._turn_log.unfinished()
        for turn_id in unfinished:
            await self._go_on(turn_id)
        return len(unfinished)

    async def take_over(self, turn_id: str) -> None:
        """Go on with a turn of a dead replica. Raises NotFound, Unavailable."""
        await self._go_on(turn_id)
        await self._elsewhere.announce(turn_id)

    async def _go_on(self, turn_id: str) -> None:
        """Play an interrupted turn; one of a sealed session ends instead, since nobody here has its key."""
        try:
            await self._ensure_played(turn_id, None)
        except Conflict as error:
            if error.leaf_code != KEY_NEEDED:
                raise
            await self._database.write(
                lambda transaction: ArenaRepository(transaction).interrupt_sealed(turn_id, INTERRUPTED)
            )

    def _followed_elsewhere(self, caller: Caller, turn_id: str) -> Feed:
        return self._elsewhere.follow(turn_id, lambda: self.read_turn(caller, turn_id))

    async def _allowed(
        self, caller: Caller, turn_id: str, turn_input: TurnInput, key: IdempotencyKey | None
    ) -> Interjection:
        """Return an input as an interjection, always the same one for an idempotency key.

        Raises NotFound, and Invalid if the turn's mode does not accept it.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        fresh = Interjection(id=random_id(), input=turn_input, round=None, created_at=now.isoformat())

        def check(transaction: Transaction) -> Interjection:
            repository = ArenaRepository(transaction, caller.seal)
            match = repository.match(caller.person_id, repository.turn(caller.person_id, turn_id).match_id)
            check_input(turn_input, self._matchmaker.mode(match.mode).listens)
            check_seat(turn_input, lambda: repository.seats([match.id]))
            return once(transaction, caller.person_id, key, now, Interjection, lambda: fresh)[0]

        return await (self._database.write(check) if key else self._database.read(check))

    def _live(self, turn_id: str) -> LiveTurn | None:
        live = self._hub.turn(turn_id)
        return None if live is None or live.finished.is_set() else live

    async def _begin(
        self, caller: Caller, key: IdempotencyKey | None, make: Callable[[NewTurns], StoredTurn]
    ) -> Started:
        """Store a new turn under its idempotency key, then play it."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        stored: list[StoredTurn] = []

        def store(transaction: Transaction) -> Started:
            repository = ArenaRepository(transaction, caller.seal)

            def make_turn() -> Started:
                turn = make(NewTurns(self._matchmaker, repository, caller, now))
                stored.append(turn)
                self._elsewhere.own(transaction, turn.script.turn_id)
                # Another request with this key may find the turn before this one continues.
                self._starting[turn.script.turn_id] = asyncio.Event()
                return turn.started

            return once(transaction, caller.person_id, key, now, Started, make_turn)[0]

        try:
            started = await self._database.write(store)
            for turn in stored:
                await self._play(turn)
        finally:
            for turn in stored:
                self._starting.pop(turn.script.turn_id).set()
        if stored:
            self._hub.publish(started.session_id, TurnAdded(**msgspec.structs.asdict(started)))
        elif (await self.read_turn(caller, started.turn_id)).turn.status == "interrupted":
            await self._ensure_played(started.turn_id, caller.seal)
        return started

    async def _ensure_played(self, turn_id: str, seal: Seal | None) -> None:
        """Play a turn unless it is already being played; wait until it is live."""
        if (started := self._starting.get(turn_id)) is not None:
            await started.wait()
            return
        if self._live(turn_id) is not None:
            return
        started = self._starting[turn_id] = asyncio.Event()
        try:
            await self._play(
                await self._database.read(
                    lambda transaction: read_stored_turn(
                        ArenaRepository(transaction, seal), turn_id, self._matchmaker
                    )
                )
            )
        finally:
            del self._starting[turn_id]
            started.set()

    async def _play(self, turn: StoredTurn) -> None:
        script = turn.script
        mode, brief = self._matchmaker.modes.get(script.mode), turn.brief
        if mode is not None and brief is None:
            with contextlib.suppress(ValidationError):
                brief = mode.brief.model_validate(script.brief)
        if mode is not None and brief is not None:
            self._runner.start(script, turn.match, mode, brief)
            return
        await self._turn_log.write([mode_gone(script)])
