"""The stage: gives each seat the floor, once per step, and remembers what earlier plays completed."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import msgspec

from parley.engine.floor import Floor
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.speech import Speech
from parley.kernel.events import Event, NoteAdded, RoundStarted, SeatConcluded
from parley.kernel.ids import random_id
from parley.kernel.messages import Message, fingerprint, mend_surrogates
from parley.kernel.mode import Asking, RepeatedStep, ReplayMismatch, Reply
from parley.kernel.paths import inside, is_within
from parley.kernel.ports import StepRecord
from parley.kernel.seats import Seat
from parley.kernel.views import ModelCard, NoteView, TurnInput

T = TypeVar("T")
StepKey = tuple[str, int, str, str]


class MatchVoided(Exception):
    """A reply of a blind match is not complete, so nobody can judge it: the scene is over."""


class LiveStage:
    """Implements the kernel's `Stage` for one play of one turn."""

    def __init__(
        self, live: LiveTurn, floor: Floor, recorder: Recorder, computing: asyncio.Semaphore
    ) -> None:
        self._live = live
        self._script = live.script
        self._floor = floor
        self._recorder = recorder
        self._computing = computing
        self._round = 0
        self._path = ""
        self._asked: set[StepKey] = set()
        self._renewed = False
        self._records = {
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

    @property
    def begun_at(self) -> str:
        """When the person gave this turn's input."""
        return self._script.created_at

    @property
    def leftovers(self) -> tuple[str, ...]:
        """Replies of before the person asked again that this play has not come to, with all within them."""
        unasked = (step for key, step in self._records.items() if key not in self._asked and step.stale)
        gone = [step for step in unasked if step.path == self._path]
        paths = [inside(step.path, step.seat, step.round, step.purpose) for step in gone]
        gone += [step for step in self._records.values() if any(is_within(step.path, path) for path in paths)]
        return tuple(step.reply_id for step in gone)

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        return tuple(seat for seat in self.seats if seat.role == role)

    def card(self, seat: Seat) -> ModelCard | None:
        """Return who sits there; None in a blind match."""
        return next((view.model for view in self._live.match.seats if view.name == seat.name), None)

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        return self._script.history.get(seat.name, ())

    def rounds(self, limit: int) -> Iterator[int]:
        """Count rounds 1…limit, announcing each."""
        for number in range(1, limit + 1):
            self._round = self._live.round = number
            self._tell(RoundStarted(turn_id=self._live.id, round=number))
            yield number

    async def ask(
        self, seat: Seat, messages: Sequence[Message] | None = None, *, purpose: str = "answer"
    ) -> Reply:
        """Give one seat the floor; a step that has ended already answers from the record."""
        if messages is None:
            messages = (*self.history(seat), Message("user", self.prompt))
        heard = tuple(messages)
        record, stands = self._claim((self._path, self._round, seat.name, purpose), heard)
        if record and stands:
            return self._heard(self._floor.recall(record, seat))
        speech = Speech(
            reply_id=record.reply_id if record else random_id(),
            seat=seat,
            path=self._path,
            number=self._round,
            purpose=purpose,
            attempt=record.attempt + 1 if record else 1,
            now=asyncio.get_running_loop().time(),
        )
        seed = self._seed(f"{seat.id}:{self._round}:{purpose}")
        return self._heard(await self._floor.give(speech, heard, seed=seed))

    async def ask_all(
        self,
        seats: Sequence[Seat],
        messages: Asking | None = None,
        *,
        purpose: str = "answer",
        then: Callable[[Reply], None] | None = None,
    ) -> list[Reply]:
        """Give several seats the floor at once; replies come back in the order of the seats."""

        async def one(seat: Seat) -> Reply:
            reply = await self.ask(seat, messages(seat) if messages else None, purpose=purpose)
            if then is not None:
                then(reply)
            return reply

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(seat)) for seat in seats]
        except BaseExceptionGroup as failures:
            # The first cause is what a mode, or the runner, can act on.
            raise failures.exceptions[0] from None
        return [task.result() for task in tasks]

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note; once per (name, round, key), so playing again does not repeat it."""
        if (name, self._round, key) in self._noted:
            return
        self._noted.add((name, self._round, key))
        plain = msgspec.to_builtins(data)
        note = NoteView(seq=self._live.next_seq(), name=name, round=self._round, key=key, data=plain)
        self._live.notes.append(note)
        self._tell(NoteAdded(turn_id=self._live.id, note=note))

    def conclude(self, seat: Seat, text: str) -> None:
        """Say what the seat's conversation keeps of this turn; stored only."""
        concluded = SeatConcluded(turn_id=self._live.id, seat=seat.name, text=mend_surrogates(text))
        self._recorder.note(self._live.log(concluded))

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name."""
        return random.Random(self._seed(f"{self._round}:{name}"))  # noqa: S311 - draws that repeat, not secrets

    async def compute(self, function: Callable[..., T], *args: object) -> T:
        """Run a heavy pure function beside the event loop."""
        async with self._computing:
            return await asyncio.to_thread(function, *args)

    def _claim(self, key: StepKey, heard: tuple[Message, ...]) -> tuple[StepRecord | None, bool]:
        """Mark a step as asked; return its record and whether it still answers for it.

        A failure is part of the scene: it stands when a crash interrupted the turn, and is asked anew where the
        person wants that. Once a step has been asked again, later ones may rightly hear something else than they
        did, and so may all that were asked before the person asked again. Raises RepeatedStep, ReplayMismatch.
        """
        _, number, seat, purpose = key
        if key in self._asked:
            raise RepeatedStep(f"{self._script.mode} asked {seat} twice for {purpose} in round {number}")
        self._asked.add(key)
        record = self._records.get(key)
        if record is None:
            return None, False
        same = record.messages_sha256 == fingerprint(heard)
        if not same and not self._renewed and not record.stale:
            raise ReplayMismatch(f"{self._script.mode} asked {seat} something else when it was played again")
        failed = record.status in ("failed", "incomplete") and not record.stale
        stands = same and (record.status == "completed" or failed) and not self._live.broken_off
        self._renewed = self._renewed or not stands
        return record, stands

    def _heard(self, reply: Reply) -> Reply:
        if self._live.judged and not reply.completed:
            raise MatchVoided
        return reply

    def _tell(self, event: Event) -> None:
        logged = self._live.log(event)
        self._recorder.note(logged)
        self._live.tell(event, logged.data)

    def _seed(self, name: str) -> int:
        digest = hashlib.sha256(f"{self._script.turn_id}:{name}".encode()).digest()
        return int.from_bytes(digest[:6], "big")
