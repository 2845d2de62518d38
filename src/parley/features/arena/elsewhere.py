"""Turns that other replicas play: followed, stopped and interjected from here, and asked for by them."""

from collections.abc import Awaitable, Callable

import msgspec

from parley.engine.feed import Feed, sse_frame
from parley.engine.hub import Hub
from parley.engine.relay import Relay, Seen
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features.arena.checks import check_stoppable
from parley.features.arena.views import end_event
from parley.kernel.errors import Problem, Unavailable
from parley.kernel.events import TurnSnapshot
from parley.kernel.inbox import Interjection
from parley.kernel.moderation import Held
from parley.kernel.replicas import TurnOrder
from parley.storage.database import Database, Transaction
from parley.storage.replica_store import own_turn, running_turns


class _Result(msgspec.Struct, frozen=True):
    """The result of an order. `held`: a rule of moderation holds the interjection."""

    done: bool
    held: Problem | None = None


class Elsewhere:
    """Finds the owner of a turn that this process does not play."""

    def __init__(
        self, database: Database, replicas: Replicas, relay: Relay, runner: Runner, hub: Hub
    ) -> None:
        self._database = database
        self._replicas = replicas
        self._relay = relay
        self._runner = runner
        self._hub = hub
        replicas.obey = self.obey

    @property
    def may_play(self) -> bool:
        """True if a turn that runs, but not here, is played by another replica, or soon is."""
        return self._replicas.are_several

    def own(self, transaction: Transaction, turn_id: str) -> None:
        """Store that this replica plays a turn, in the transaction that makes it run."""
        if self._replicas.are_several:
            own_turn(transaction, turn_id, self._replicas.id)

    async def announce(self, turn_id: str) -> None:
        """Let those who follow a turn know that it is played here from now on."""
        await self._relay.announce(turn_id)

    async def plays(self, turn_id: str) -> bool:
        """Return whether a turn runs, but not here."""
        if not self._replicas.are_several or self._is_live(turn_id):
            return False
        return bool(
            await self._database.read(lambda transaction: running_turns(transaction, turn_id=turn_id))
        )

    def follow(self, turn_id: str, read: Callable[[], Awaitable[TurnSnapshot]]) -> Feed:
        """Return the feed of a turn that is played elsewhere; `read` reads it for the viewer."""

        async def look() -> Seen:
            snapshot = await read()
            end = end_event(snapshot.turn)
            frames = frames_of(snapshot)
            return Seen(frames, has_ended=end is not None, play=snapshot.turn.play)

        return self._relay.follow(turn_id, look)

    async def stop(self, snapshot: TurnSnapshot, seat: str | None) -> None:
        """Stop a turn or one of its seats, and wait until that is stored. Raises Conflict, Invalid, Unavailable."""
        turn = snapshot.turn
        if seat is not None:
            check_stoppable(seat, [each.name for each in snapshot.match.seats], blind=snapshot.match.blind)
        if await self._replicas.order(turn.id, "stop", seat) is None:
            raise Unavailable(
                "The server that plays this turn does not answer.",
                "The turn goes on, and is saved. Try to stop it again.",
                code="replica_away",
            )

    async def stop_session(self, session_id: str) -> None:
        """Stop every turn of a session that runs elsewhere."""
        if not self._replicas.are_several:
            return
        running = await self._database.read(
            lambda transaction: running_turns(transaction, session_id=session_id)
        )
        for turn_id in running:
            if not self._is_live(turn_id):
                await self._replicas.order(turn_id, "stop", None)

    async def interject(self, turn_id: str, interjection: Interjection) -> bool:
        """Add an input to a turn that runs elsewhere; return False if it takes none. Raises Unavailable, Held."""
        answer = await self._replicas.order(turn_id, "interject", interjection)
        if answer is None:
            return False
        result = msgspec.json.decode(answer, type=_Result)
        if result.held is not None:
            raise Held(result.held.title, result.held.detail, code=result.held.code)
        return result.done

    async def obey(self, order: TurnOrder) -> str:
        """Carry out what was asked at another replica; return the result as JSON. Raises Unavailable: try again."""
        if not self._is_live(order.turn_id) and await self.plays(order.turn_id):
            raise Unavailable("This turn was taken over, and does not run yet.", code="turn_not_running")
        result = _Result(done=True)
        match order.kind:
            case "interject":
                interjection = msgspec.json.decode(order.data, type=Interjection)
                try:
                    result = _Result(done=await self._runner.interject(order.turn_id, interjection))
                except Held as held:
                    result = _Result(done=False, held=held.problem)
            case "stop":
                seat = msgspec.json.decode(order.data, type=str | None)
                if seat is None:
                    await self._runner.stop(order.turn_id)
                else:
                    await self._runner.stop_seat(order.turn_id, seat)
        return msgspec.json.encode(result).decode()

    def _is_live(self, turn_id: str) -> bool:
        live = self._hub.turn(turn_id)
        return live is not None and not live.finished.is_set()


def feed_of(snapshot: TurnSnapshot) -> Feed:
    """Return the feed of a turn that is not being played: its snapshot and its end."""
    feed = Feed(lambda: frames_of(snapshot), lambda _: None)
    feed.end()
    return feed


def frames_of(snapshot: TurnSnapshot) -> bytes:
    """Return a turn's snapshot as a frame, and its end if it has ended."""
    end = end_event(snapshot.turn)
    frames = sse_frame(msgspec.json.encode(snapshot))
    return frames if end is None else frames + sse_frame(msgspec.json.encode(end))
