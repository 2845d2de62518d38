"""The stage: gives each seat the floor, and records, streams and counts what is said."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from typing import TypeVar

import msgspec

from parley.engine.gateway import Call, Gateway
from parley.engine.live_turn import LiveTurn
from parley.engine.metering import measure
from parley.engine.recorder import Recorder
from parley.engine.speech import GrowingText, Speech
from parley.kernel.connector import Delta, Finish, Usage
from parley.kernel.errors import ParleyError, Problem
from parley.kernel.events import NoteAdded, ReplyCompleted, ReplyFailed, ReplyStarted, RoundStarted
from parley.kernel.ids import random_id
from parley.kernel.messages import Message, fingerprint
from parley.kernel.mode import Asking, RepeatedStep, ReplayMismatch, Reply
from parley.kernel.models import Model
from parley.kernel.ports import Catalog, LogEntry, ReplyEnded, ReplyOpened, Spent, StepRecord
from parley.kernel.seats import Seat
from parley.kernel.views import NoteView, ReplyStatus, TurnInput

T = TypeVar("T")
StepKey = tuple[str, int, str, str]

INCOMPLETE = Problem(
    code="reply_incomplete",
    title="The answer broke off before the model said that it was done.",
    detail="What had come is kept. Ask again to get a whole answer.",
)
EMPTY = Problem(
    code="reply_empty",
    title="The model sent an empty answer.",
    detail="Ask again, or choose another model.",
)


class MatchVoided(Exception):
    """A reply of a blind match is not complete, so nobody can judge it: the scene is over."""


class LiveStage:
    """Implements the kernel's `Stage` for one play of one turn."""

    def __init__(
        self, live: LiveTurn, gateway: Gateway, recorder: Recorder, catalog: Catalog, *, void_on_failure: bool
    ) -> None:
        self._live = live
        self._script = live.script
        self._gateway = gateway
        self._recorder = recorder
        self._catalog = catalog
        self._void_on_failure = void_on_failure
        self._round = 0
        self._path = ""
        self._asked: set[StepKey] = set()
        self._records: dict[StepKey, StepRecord] = {
            (step.path, step.round, step.seat, step.purpose): step for step in self._script.steps
        }
        self._noted = {(note.name, note.round, note.key) for note in self._script.notes}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the match, in order."""
        return self._script.seats

    @property
    def input(self) -> TurnInput:
        """What the person gave this turn."""
        return self._script.input

    @property
    def prompt(self) -> str:
        """The person's text of this turn, or of the last turn that had one."""
        return self._script.prompt

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        return tuple(seat for seat in self.seats if seat.role == role)

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        return self._script.history.get(seat.name, ())

    def rounds(self, limit: int) -> Iterator[int]:
        """Count rounds 1…limit, announcing each."""
        for number in range(1, limit + 1):
            self._round = self._live.round = number
            event = RoundStarted(turn_id=self._live.id, round=number)
            self._recorder.note(self._live.log(event))
            self._live.tell(event)
            yield number

    async def ask_all(
        self, seats: Sequence[Seat], messages: Asking | None = None, *, purpose: str = "answer"
    ) -> list[Reply]:
        """Give several seats the floor at once; replies come back in the order of the seats."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self.ask(seat, messages(seat) if messages else None, purpose=purpose))
                    for seat in seats
                ]
        except* MatchVoided as voided:
            raise MatchVoided from voided
        return [task.result() for task in tasks]

    async def ask(
        self, seat: Seat, messages: Sequence[Message] | None = None, *, purpose: str = "answer"
    ) -> Reply:
        """Give one seat the floor; a step that is completed already answers from the record."""
        if messages is None:
            messages = (*self.history(seat), Message("user", self.prompt))
        heard = tuple(messages)
        key = (self._path, self._round, seat.name, purpose)
        if key in self._asked:
            raise RepeatedStep(f"{self._script.mode} asked {seat.name} twice for {purpose} in round {self._round}")
        self._asked.add(key)
        record = self._records.get(key)
        if record and record.messages_sha256 != fingerprint(heard):
            raise ReplayMismatch(f"{self._script.mode} asked {seat.name} something else when it was played again")
        if record and record.status == "completed":
            return self._recall(record, seat)
        speech = self._open(seat, purpose, heard, record)
        try:
            status, finish, usage, problem, call = await self._listen(speech, seat, heard)
        except asyncio.CancelledError:
            self._break_off(speech, seat, heard)
            raise
        return await self._close(speech, seat, heard, status, finish, usage, problem, call)
