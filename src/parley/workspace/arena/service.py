"""The arena's use cases: begin sessions and matches, take turns, follow them, stop and retry them."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from pydantic import ValidationError

from parley.engine.feed import sse_frame
from parley.engine.hub import Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.runner import Runner
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.events import TurnAdded, TurnSnapshot
from parley.kernel.ids import random_id
from parley.kernel.messages import sha256_text
from parley.kernel.mode import Brief, Mode
from parley.kernel.ports import Clock, TurnLog
from parley.kernel.views import MatchRecord, PromptInput
from parley.storage.database import Database
from parley.storage.tables.conversations import Match, Seat, Session, Turn
from parley.workspace.arena.reading import ArenaReader
from parley.workspace.arena.receipts import IdempotencyKey, once
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.schemas import ContinueFrom, StartMatch, StartSession
from parley.workspace.arena.seating import BattleCatalog, take_seats
from parley.workspace.arena.views import end_event

TITLE_CHARS = 80


class Started(msgspec.Struct, frozen=True):
    """The ids of a turn that has begun."""

    session_id: str
    match_id: str
    turn_id: str


class ArenaService:
    """Where people and models meet. The only caller of a mode's play, by way of the engine's runner."""

    def __init__(
        self,
        *,
        database: Database,
        turn_log: TurnLog,
        runner: Runner,
        hub: Hub,
        modes: Mapping[str, Mode[Any]],
        catalog: BattleCatalog,
        reader: ArenaReader,
        clock: Clock,
        chance: random.Random,
    ) -> None:
        self._database = database
        self._turn_log = turn_log
        self._runner = runner
        self._hub = hub
        self._modes = modes
        self._catalog = catalog
        self._reader = reader
        self._clock = clock
        self._chance = chance
        self._beginnings: dict[str, asyncio.Task[None]] = {}

    async def start_session(
        self, owner_id: str, asked: StartSession, key: IdempotencyKey | None = None
    ) -> Started:
        """Begin a session with its first match and turn. Raises Invalid, Unavailable."""
        match = StartMatch(prompt=asked.prompt, mode=asked.mode, seats=asked.seats, brief=asked.brief)
        self._mode(asked.mode)

        async def make(repository: ArenaRepository) -> Started:
            now = self._now()
            session = Session(
                id=random_id(),
                owner_id=owner_id,
                title=title_of(asked.prompt),
                mode=asked.mode,
                archived=False,
                created_at=now,
                updated_at=now,
                deleted_at=None,
            )
            repository.add(session)
            await repository.flush()
            return await self._add_match(repository, owner_id, session.id, match)

        return await self._begin(owner_id, key, make)

    async def start_match(
        self, owner_id: str, session_id: str, asked: StartMatch, key: IdempotencyKey | None = None
    ) -> Started:
        """Begin a new match in a session. Raises NotFound, Invalid, Conflict, Unavailable."""

        async def make(repository: ArenaRepository) -> Started:
            await repository.session(owner_id, session_id)
            return await self._add_match(repository, owner_id, session_id, asked)

        return await self._begin(owner_id, key, make)

    async def start_turn(
        self, owner_id: str, match_id: str, prompt: str, key: IdempotencyKey | None = None
    ) -> Started:
        """Take the next turn of a match. Raises NotFound, Conflict."""

        async def make(repository: ArenaRepository) -> Started:
            match = await repository.match(owner_id, match_id, lock=True)
            turns = await repository.turns([match_id])
            _check_next_turn(match, [turn.status for turn in turns])
            return await self._add_turn(repository, match, len(turns), prompt)

        return await self._begin(owner_id, key, make)

    async def retry(self, owner_id: str, turn_id: str, key: IdempotencyKey | None = None) -> Started:
        """Ask again what is not complete in a match's last turn. Raises NotFound, Conflict."""

        async def make(repository: ArenaRepository) -> Started:
            turn = await repository.turn(owner_id, turn_id)
            match = await repository.match(owner_id, turn.match_id, lock=True)
            turns = await repository.turns([match.id])
            replies = await repository.replies([turn_id])
            _check_open(match)
            if turn.status == "running" and self._is_played(turn_id):
                raise _running()
            whole = turn.status == "completed" and all(reply.status == "completed" for reply in replies)
            if whole or turns[-1].id != turn_id:
                raise Conflict(
                    "There is nothing to ask again: this turn is complete, or a later one follows it.",
                    code="nothing_to_retry",
                )
            turn.status = "running"
            await repository.touch(turn.session_id, self._now())
            return Started(turn.session_id, match.id, turn.id)

        return await self._begin(owner_id, key, make)

    async def stop(self, owner_id: str, turn_id: str) -> TurnSnapshot:
        """Stop a turn; what had come is kept. Stopping a turn that has ended changes nothing."""
        await self._reader.check_turn(owner_id, turn_id)
        await self._runner.stop(turn_id)
        return await self.read_turn(owner_id, turn_id)

    async def stop_session(self, session_id: str) -> None:
        """Stop every turn of a session that is being played."""
        live = [turn.id for turn in self._hub.turns() if turn.script.session_id == session_id]
        await asyncio.gather(*(self._runner.stop(turn_id) for turn_id in live))

    async def read_turn(self, owner_id: str, turn_id: str) -> TurnSnapshot:
        """Return all that the owner may see of a turn now. Raises NotFound."""
        return await self._reader.turn(owner_id, turn_id)

    async def read_matches(self, owner_id: str, session_id: str) -> tuple[MatchRecord, ...]:
        """Return a session's matches with their turns. Raises NotFound."""
        return await self._reader.matches(owner_id, session_id)

    async def wait(self, owner_id: str, turn_id: str) -> TurnSnapshot:
        """Return a turn once it has ended. Raises NotFound."""
        live = self._hub.turn(turn_id)
        if live is not None:
            await live.finished.wait()
        return await self.read_turn(owner_id, turn_id)

    async def follow(self, owner_id: str, turn_id: str) -> AsyncIterator[bytes]:
        """Return a turn's events as frames: a snapshot, what happens, and one end. Raises NotFound."""
        await self._reader.check_turn(owner_id, turn_id)
        snapshot = None
        if self._live(turn_id) is None:
            snapshot = await self.read_turn(owner_id, turn_id)
        live = self._live(turn_id)
        if live is not None:
            return aiter(live.follow())
        return _told(snapshot or await self.read_turn(owner_id, turn_id))

    async def follow_session(self, owner_id: str, session_id: str) -> AsyncIterator[bytes]:
        """Return what happens in a session outside its turns, as frames, without an end. Raises NotFound."""
        await self._reader.check_session(owner_id, session_id)
        return aiter(self._hub.follow_session(session_id))

    async def resume(self) -> int:
        """Play every interrupted turn again; finished replies are not asked again. Returns how many."""
        unfinished = await self._turn_log.unfinished()
        for turn_id in unfinished:
            await self._see_played(turn_id)
        return len(unfinished)

    def _live(self, turn_id: str) -> LiveTurn | None:
        live = self._hub.turn(turn_id)
        return None if live is None or live.finished.is_set() else live

    async def _begin(
        self, owner_id: str, key: IdempotencyKey | None, make: Callable[[ArenaRepository], Awaitable[Started]]
    ) -> Started:
        """Store a new turn under its idempotency key, then let it be played."""
        async with self._database.write() as transaction:
            repository = ArenaRepository(transaction)
            started, fresh = await once(
                repository, owner_id, key, self._now(), Started, lambda: make(repository)
            )
        if fresh or (await self.read_turn(owner_id, started.turn_id)).turn.status == "interrupted":
            await self._see_played(started.turn_id)
        if fresh:
            self._hub.publish(started.session_id, TurnAdded(**msgspec.structs.asdict(started)))
        return started

    def _is_played(self, turn_id: str) -> bool:
        return turn_id in self._beginnings or self._live(turn_id) is not None

    async def _see_played(self, turn_id: str) -> None:
        """Let a turn be played unless it is; returns once it is live, also where another request began it."""
        beginning = self._beginnings.get(turn_id)
        if beginning is None:
            if self._live(turn_id) is not None:
                return
            beginning = asyncio.create_task(self._play(turn_id), name=f"begin-{turn_id}")
            self._beginnings[turn_id] = beginning
            beginning.add_done_callback(lambda _: self._beginnings.pop(turn_id, None))
        await asyncio.shield(beginning)

    async def _play(self, turn_id: str) -> None:
        script = await self._turn_log.read(turn_id)
        match = await self._reader.match(script.match_id)
        try:
            mode = self._mode(script.mode)
            brief = mode.brief.model_validate(script.brief)
        except (Invalid, ValidationError):
            # The mode came from a plugin that is gone, or its settings have changed: it can only be left.
            await self._reader.give_up(turn_id, f"The mode “{script.mode}” is no longer installed.")
            return
        self._runner.start(script, match, mode, brief)

    async def _add_match(
        self, repository: ArenaRepository, owner_id: str, session_id: str, asked: StartMatch
    ) -> Started:
        mode = self._mode(asked.mode)
        brief = _validated(mode, asked.brief)
        if asked.continue_from:
            await self._check_lineage(repository, owner_id, asked.continue_from)
        seated = take_seats(mode.seating, asked.seats, self._catalog, self._chance)
        now = self._now()
        match = Match(
            id=random_id(),
            session_id=session_id,
            owner_id=owner_id,
            index=await repository.next_match_index(session_id),
            mode=mode.name,
            brief=brief.model_dump(mode="json"),
            brief_version=brief.version,
            blind=mode.seating.blind,
            paced=mode.seating.paced,
            ballot=list(mode.seating.ballot),
            status="open",
            void=None,
            propensity=seated.propensity,
            parent_turn_id=asked.continue_from.turn_id if asked.continue_from else None,
            parent_seat=asked.continue_from.seat if asked.continue_from else None,
            created_at=now,
        )
        repository.add(match)
        await repository.flush()
        for index, seat in enumerate(seated.seats):
            repository.add(
                Seat(
                    id=seat.id,
                    match_id=match.id,
                    index=index,
                    name=seat.name,
                    role=seat.role,
                    model_id=seat.model_id,
                )
            )
        await repository.touch(session_id, now, mode.name)
        return await self._add_turn(repository, match, 0, asked.prompt)

    async def _add_turn(self, repository: ArenaRepository, match: Match, index: int, prompt: str) -> Started:
        now = self._now()
        turn = Turn(
            id=random_id(),
            match_id=match.id,
            session_id=match.session_id,
            owner_id=match.owner_id,
            index=index,
            input=msgspec.to_builtins(PromptInput(text=prompt.replace("\x00", "\ufffd"))),
            input_sha256=sha256_text(prompt),
            status="running",
            play=0,
            released=None,
            error=None,
            created_at=now,
        )
        repository.add(turn)
        await repository.touch(match.session_id, now)
        return Started(match.session_id, match.id, turn.id)

    async def _check_lineage(self, repository: ArenaRepository, owner_id: str, parent: ContinueFrom) -> None:
        try:
            turn = await repository.turn(owner_id, parent.turn_id)
            match = await repository.match(owner_id, turn.match_id)
        except NotFound:
            raise Invalid("continue_from.turn_id", "There is no such turn to continue from.") from None
        if parent.seat not in {seat.name for seat in await repository.seats([match.id])}:
            raise Invalid("continue_from.seat", f"That match has no seat “{parent.seat}”.")
        if turn.status == "running":
            raise _running()
        if match.blind and match.status != "voted":
            raise Conflict(
                "This battle is still blind, so nobody may continue with one of its models.",
                "Vote first.",
                code="still_blind",
            )

    def _mode(self, name: str) -> Mode[Any]:
        mode = self._modes.get(name)
        if mode is None:
            raise Invalid("mode", f"There is no mode “{name}”.", f"There are: {', '.join(self._modes)}.")
        return mode

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def title_of(prompt: str) -> str:
    """Return a session's first title: the first line of its first prompt, shortened at a word."""
    line = " ".join(next((line for line in prompt.splitlines() if line.strip()), "").split())
    if len(line) <= TITLE_CHARS:
        return line
    return line[:TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def _validated(mode: Mode[Any], raw: dict[str, Any] | None) -> Brief:
    try:
        return mode.brief.model_validate(raw or {})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(("brief", *(str(part) for part in first["loc"])))
        raise Invalid(field, f"{field}: {first['msg']}.") from None


def _check_open(match: Match) -> None:
    if match.status == "void":
        raise Conflict(
            "This battle is void, because one of its models could not answer.",
            "Draw again: a new battle with the same question.",
            code="battle_void",
        )
    if match.status == "voted":
        raise Conflict(
            "This battle is over: you have voted.",
            "Start a new battle, or continue with a model.",
            code="battle_over",
        )


def _check_next_turn(match: Match, statuses: list[str]) -> None:
    _check_open(match)
    if "running" in statuses:
        raise _running()
    if match.blind and statuses[-1] != "completed":
        raise Conflict(
            "The last turn was stopped, so the two sides have not heard the same.",
            "Ask again first, or draw again.",
            code="turn_not_complete",
        )


def _running() -> Conflict:
    return Conflict("A turn is still running here.", "Wait for its end, or stop it.", code="turn_running")


async def _told(snapshot: TurnSnapshot) -> AsyncIterator[bytes]:
    """Tell a turn that is not being played: what it is, and how it ended."""
    yield sse_frame(msgspec.json.encode(snapshot))
    end = end_event(snapshot.turn)
    if end is not None:
        yield sse_frame(msgspec.json.encode(end))
