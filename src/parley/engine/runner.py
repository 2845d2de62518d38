"""The runner: plays turns in the background, stops them, and gives each exactly one end."""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext

import msgspec

from parley.engine.asking import Asker
from parley.engine.frame import Frame, turn_frame
from parley.engine.gateway import Gateway
from parley.engine.hub import Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.moderation import check_interjection, check_turn
from parley.engine.recorder import Recorder
from parley.engine.stage import LiveStage, MatchVoided
from parley.engine.tool_calls import NoTools
from parley.engine.tool_loop import ToolLoop
from parley.engine.turn_queue import QueuePlace, TurnQueue
from parley.kernel.ballot import TurnReplies, choosable, completed_by_seat
from parley.kernel.blindness import HELD, VOID, void_because
from parley.kernel.errors import Problem, Unavailable, Unreachable
from parley.kernel.events import (
    BallotOpened,
    InputAdded,
    TurnCompleted,
    TurnEnd,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from parley.kernel.inbox import Interjection
from parley.kernel.mode import Brief, Mode
from parley.kernel.moderation import Held, reply_held
from parley.kernel.ports import LogEntry, Tools, TurnBegun, TurnEnded, TurnScript
from parley.kernel.toolbox import EmptyToolbox, Toolbox
from parley.kernel.views import MatchView, TurnStatus

log = logging.getLogger(__name__)

BROKEN = Problem(
    code="mode_broken",
    title="Parley ran into an internal error during this turn.",
    detail="Replies so far are saved. See the server's log for the cause, then ask again.",
)


_STATUS: dict[type[TurnEnd], TurnStatus] = {
    TurnCompleted: "completed",
    TurnFailed: "failed",
    TurnStopped: "stopped",
}


class Runner:
    """Owns the task of every turn that is being played. `around` is entered around each play."""

    def __init__(
        self,
        hub: Hub,
        recorder: Recorder,
        gateway: Gateway,
        tools: Tools | None = None,
    ) -> None:
        self._hub = hub
        self._recorder = recorder
        self._gateway = gateway
        self._tools = tools or NoTools()
        self.toolbox: Toolbox = EmptyToolbox()
        self.around: Callable[[LiveTurn], AbstractContextManager[object]] = nullcontext
        # With the GIL, more threads would only slow down the event loop.
        self._computing = asyncio.Semaphore(1)
        self.queue = TurnQueue()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lives: dict[str, LiveTurn] = {}
        self._stages: dict[str, LiveStage] = {}

    def start(self, script: TurnScript, match: MatchView, mode: Mode[Brief], brief: Brief) -> LiveTurn:
        """Play a turn in the background, with or without followers."""
        live = self._hub.open_turn(script, match)
        if script.seal is not None:
            self._recorder.seals[live.id] = script.seal
        self._lives[live.id] = live
        self._stages[live.id] = stage = self.open_stage(turn_frame(live, self._recorder))
        task = asyncio.create_task(self._play(live, stage, mode, brief), name=f"turn-{live.id}")
        self._tasks[live.id] = task

        def forget(_: asyncio.Task[None]) -> None:
            if self._lives.get(live.id) is live:
                del self._tasks[live.id], self._lives[live.id], self._stages[live.id]
                self._recorder.seals.pop(live.id, None)
            self._hub.close_turn(live)

        task.add_done_callback(forget)
        return live

    def open_stage(self, frame: Frame) -> LiveStage:
        """Return a stage in a frame: a turn's own, or that of an ensemble."""
        stage = LiveStage(frame, Asker(frame, self._gateway), self._computing, self._tools)
        # Tools keep what they are asked, so a sealed session has none.
        sealed = frame.script.seal is not None
        stage.loop = ToolLoop(stage, frame, EmptyToolbox() if sealed else self.toolbox)
        return stage

    async def stop(self, turn_id: str) -> bool:
        """Stop a turn and wait until that is stored; return False if it is not running."""
        task, live = self._tasks.get(turn_id), self._lives.get(turn_id)
        if task is None or live is None:
            return False
        if not live.stopping:
            live.stopping = True
            live.freeze()
            await asyncio.sleep(0)  # a task that has not begun could not store its end
            if not live.ending:
                task.cancel()
        await asyncio.wait([task])
        return True

    async def stop_seat(self, turn_id: str, seat: str) -> None:
        """Stop one seat and wait until that is stored; the turn continues."""
        stage = self._stages.get(turn_id)
        if stage is None:
            return
        await stage.asker.stop(seat)
        await self._recorder.commit()

    async def interject(self, turn_id: str, interjection: Interjection) -> bool:
        """Store an interjection, then publish it; return False if the turn accepts no more.

        Entries are stored in order, so an accepted one is stored before the turn's end. Raises Unavailable, Held.
        """
        live = self._lives.get(turn_id)
        if live is None:
            return False
        await check_interjection(
            self._gateway.moderator, self._gateway.blobs, live.script, interjection.input
        )
        if interjection.id in live.interjected:  # sent again, perhaps before it was stored
            await self._recorder.commit()
            return interjection.id in live.interjected
        if not live.takes_input:
            return False
        live.interjected.add(interjection.id)
        event = InputAdded(turn_id=turn_id, interjection=interjection)
        logged = live.log(event)
        stored = self._recorder.send(logged)

        def publish(stored: asyncio.Future[None]) -> None:
            if stored.exception() is None:
                live.add_interjection(event, logged.data)
            else:
                live.interjected.discard(interjection.id)

        stored.add_done_callback(publish)
        await asyncio.shield(stored)  # the sender may disconnect
        return True

    def abandon(self, turn_ids: Collection[str]) -> None:
        """Interrupt turns that another replica plays by now."""
        for turn_id in turn_ids:
            live = self._lives.get(turn_id)
            if live is not None and not live.finished.is_set():
                live.interrupted = not live.stopping
                self._tasks[turn_id].cancel()

    @property
    def playing(self) -> int:
        """The number of turns that run or wait for their place."""
        return len(self._tasks)

    async def close(self) -> None:
        """Interrupt every turn; each stays `running` in the log and resumes at the next start."""
        for live in self._lives.values():
            live.interrupted = not live.stopping
        await asyncio.sleep(0)  # as in `stop`
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _play(self, live: LiveTurn, stage: LiveStage, mode: Mode[Brief], brief: Brief) -> None:
        started = TurnStarted(turn_id=live.id, play=live.play)
        logged = live.log(started)
        self._recorder.enqueue(TurnBegun(turn_id=live.id, play=live.play), logged)
        live.publish(started, logged.data)
        place = self.queue.place(live.script.owner_id, alone=live.blind)
        try:
            with self.around(live):
                end = await self._perform(live, mode, brief, stage, place)
                live.ending = True
                dropped = (*stage.leftovers, *live.dropped) if place.taken else ()
                await self._finish(live, end, dropped)
        finally:
            place.leave()

    async def _take(self, place: QueuePlace, live: LiveTurn) -> None:
        """Wait for the turn's place under the limits; in a blind turn it must not depend on the models."""
        await check_turn(self._gateway.moderator, self._gateway.blobs, live.script)
        await self._gateway.served.learn()
        seats, demands = live.script.seats, self._gateway.demands
        place.demand = demands.of_any(len(seats)) if live.blind else demands.of(s.model_id for s in seats)
        await place.take(lambda: live.show_queue(waiting=True))
        live.admit()

    async def _perform(
        self, live: LiveTurn, mode: Mode[Brief], brief: Brief, stage: LiveStage, place: QueuePlace
    ) -> TurnEnd:
        """Play the mode, wait until everything is released, and return how the turn ends."""
        try:
            if live.stopping:  # before it began
                raise asyncio.CancelledError
            await self._take(place, live)
            await mode.play(stage, brief)
            await live.wait_until_released()
        except Held as held:
            return TurnFailed(
                turn_id=live.id, error=void_because(held.problem) if live.judged else held.problem
            )
        except MatchVoided:
            return TurnFailed(turn_id=live.id, error=self._why_void(live))
        except Unavailable as error:
            return TurnFailed(turn_id=live.id, error=error.problem)
        except asyncio.CancelledError:
            if not live.stopping:
                live.end()
                raise
            return TurnStopped(turn_id=live.id)
        except Exception as error:
            if live.script.seal is None:
                log.exception("mode %s failed in turn %s", mode.name, live.id)
            else:  # the words of an exception may quote what was asked
                log.error(
                    "mode %s failed in the sealed turn %s: %s", mode.name, live.id, type(error).__name__
                )
            return TurnFailed(turn_id=live.id, error=BROKEN)
        return TurnCompleted(turn_id=live.id)

    def _why_void(self, live: LiveTurn) -> Problem:
        """Return why a judged match is void.

        The cause is named if it would be the same for every seat: the one provider of all of them can't be reached.
        """
        causes = [reply.error for reply in live.replies.values() if reply.error is not None]
        if any(cause.code == reply_held().leaf_code for cause in causes):
            return HELD
        if not causes or any(cause.code != Unreachable.code for cause in causes):
            return VOID
        providers = self._gateway.providers_of([seat.model_id for seat in live.script.seats])
        return void_because(causes[0]) if len(providers) == 1 else VOID

    async def _finish(self, live: LiveTurn, end: TurnEnd, dropped: tuple[str, ...]) -> None:
        """Store the turn's end, then publish it."""
        if not isinstance(end, TurnCompleted):
            live.freeze()
        status = _STATUS[type(end)]
        error = end.error if isinstance(end, TurnFailed) else None
        ballot, match = _judgement(live, end)
        ended = TurnEnded(
            turn_id=live.id,
            match_id=live.match.id,
            status=status,
            error=error,
            released=live.visible if live.blind and status != "completed" else None,
            void=match.void,
            dropped=dropped,
        )
        full = await self._store_end(live, ended, *(live.log(event) for event in (ballot, end) if event))
        if live.finished.is_set():
            return
        if full is not None:
            end, match, ballot = TurnFailed(turn_id=live.id, error=full), live.match, None
            status, error = "failed", full
        if live.unstored is not None and not isinstance(end, TurnFailed):
            # An earlier entry could not be stored, so this end was wrong.
            log.error("a reply of turn %s could not be stored", live.id, exc_info=live.unstored)
            await self._finish(live, TurnFailed(turn_id=live.id, error=BROKEN), dropped)
            return
        self._gateway.settle(live.id, void=match.status == "void")
        if match.status == "void":
            for reply in live.replies.values():
                reply.log_cause(sealed=live.script.seal is not None)
        live.status, live.error, live.match = status, error, match
        if live.blind and status == "completed":
            live.publish_all_ends()
        if ballot:
            live.publish(ballot)
        live.end(end)

    async def _store_end(self, live: LiveTurn, *entries: LogEntry) -> Problem | None:
        """Store a turn's end; abandon the turn if that fails.

        On a full disk, return that problem: the recorder stores the end once there is space, and only those who look
        now are told.
        """
        try:
            await self._recorder.commit(*entries)
        except asyncio.CancelledError:
            live.end()
            raise
        except Exception as failure:
            if isinstance(failure, Unavailable) and failure.leaf_code == "disk_full":
                return failure.problem
            log.exception("the end of turn %s could not be stored; it will be played again", live.id)
            live.end()
        return None


def _judgement(live: LiveTurn, end: TurnEnd) -> tuple[BallotOpened | None, MatchView]:
    """Return the event that opens the vote, if it opens, and the match after the turn."""
    ballot = live.match.ballot
    if ballot is None:
        return None, live.match
    if isinstance(end, TurnFailed) and live.judged:
        shut = msgspec.structs.replace(ballot, open=False)
        return None, msgspec.structs.replace(live.match, status="void", void=end.error, ballot=shut)
    replies = [(reply.seat.name, reply.status) for reply in live.replies.values()]
    turn = TurnReplies(live.id, _STATUS[type(end)], completed_by_seat(replies))
    seats = [seat.name for seat in live.match.seats]
    choices = choosable(ballot.choices, ballot.needs, seats, [turn])
    if not choices or live.match.status != "open":
        return None, live.match
    opened = BallotOpened(turn_id=live.id, match_id=live.match.id, choices=choices)
    ballot = msgspec.structs.replace(ballot, open=True, choices=choices)
    return opened, msgspec.structs.replace(live.match, ballot=ballot)
