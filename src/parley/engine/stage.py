"""The stage: asks each seat once per step, and remembers what earlier plays completed."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import msgspec

from parley.engine.asking import Asker, Question
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.speech import Speech
from parley.kernel.events import Event, NoteAdded, RoundStarted, SeatConcluded
from parley.kernel.history import EarlierTurn, as_one, words_for
from parley.kernel.ids import random_id
from parley.kernel.inputs import TurnInput
from parley.kernel.messages import Message, mend_surrogates
from parley.kernel.mode import Asking, Choosing, RepeatedStep, ReplayMismatch, Reply
from parley.kernel.options import NO_OPTIONS, AskOptions
from parley.kernel.paths import inside, is_within
from parley.kernel.ports import StepRecord
from parley.kernel.seats import Seat
from parley.kernel.views import ModelCard, NoteView

T = TypeVar("T")
StepKey = tuple[str, int, str, str]

ROUND = 4096
"""Places for replies in one round of a blind turn."""
ENDED = frozenset(("completed", "failed", "incomplete"))
"""What a step has become that is not asked again by itself."""


class MatchVoided(Exception):
    """A reply of a blind match is not complete, so nobody can judge it: the scene is over."""


class LiveStage:
    """Implements the kernel's `Stage` for one play of one turn."""

    def __init__(
        self, live: LiveTurn, asker: Asker, recorder: Recorder, computing: asyncio.Semaphore
    ) -> None:
        self._live = live
        self._script = live.script
        self._asker = asker
        self._recorder = recorder
        self._computing = computing
        self._round = 0
        self._path = ""
        self._inbox: tuple[TurnInput, ...] = ()
        self._interjected: list[TurnInput] = []
        self._asked: set[StepKey] = set()
        self._renewed = False
        self._records = {
            (step.path, step.round, step.seat, step.purpose): step for step in self._script.steps
        }
        self._next_order = max((step.order for step in self._script.steps), default=-1) + 1
        self._stored_notes = {(note.name, note.round, note.key) for note in self._script.notes}
        self._noted: set[tuple[str, int, str]] = set()

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
        """The question: the text of this turn's prompt, or of the last turn that had one."""
        return self._script.prompt

    @property
    def earlier(self) -> tuple[EarlierTurn, ...]:
        """This match's earlier turns, oldest first; empty unless the mode `remembers` them."""
        return self._script.earlier

    @property
    def inbox(self) -> tuple[TurnInput, ...]:
        """What the person said since the round before, as it was read when the current round began."""
        return self._inbox

    @property
    def attended(self) -> bool:
        """True where a person may answer."""
        return True

    @property
    def begun_at(self) -> str:
        """When the person gave this turn's input."""
        return self._script.created_at

    @property
    def leftovers(self) -> tuple[str, ...]:
        """Replies of plays that no longer stand and to which this one has not come, with all within them."""
        unasked = (step for key, step in self._records.items() if key not in self._asked)
        gone = [
            step for step in unasked if step.path == self._path and (step.stale or self._live.starts_over)
        ]
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

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count at most `limit` rounds on from `after`, announcing each; each reads the inbox once.

        What a round has read is stored before anything that is said in it, by the order of the log.
        """
        for number in range(after + 1, after + limit + 1):
            self._round = number
            unread = self._live.read_inbox(number)
            self._inbox = tuple(said.input for said in unread)
            self._interjected += self._inbox
            ids = tuple(said.id for said in unread)
            self._begin_round(RoundStarted(turn_id=self._live.id, round=number, heard=ids))
            yield number

    async def ask(
        self,
        seat: Seat,
        messages: Sequence[Message] | None = None,
        *,
        purpose: str = "answer",
        options: AskOptions | None = None,
    ) -> Reply:
        """Ask one seat; a step that has already ended is answered from the record."""
        if messages is None:
            messages = (*seat.settings.rules, *self.history(seat), Message("user", self._line(seat)))
        question = Question(tuple(messages), (options or NO_OPTIONS).or_else(seat.settings.options))
        record, stands = self._step((self._path, self._round, seat.name, purpose), question)
        if record and stands:
            return self._judgeable(self._asker.recall(record, seat))
        order = self._order(seat, record)
        number = self._round
        await self._live.its_turn((seat,))
        speech = Speech(
            reply_id=record.reply_id if record else random_id(),
            seat=seat,
            path=self._path,
            number=number,
            purpose=purpose,
            order=order,
            attempt=record.attempt + 1 if record else 1,
            now=asyncio.get_running_loop().time(),
        )
        seed = self._seed(f"{seat.id}:{number}:{purpose}")
        return self._judgeable(await self._asker.ask(speech, question, seed=seed))

    async def ask_all(
        self,
        seats: Sequence[Seat],
        messages: Asking | None = None,
        *,
        purpose: str = "answer",
        options: Choosing | None = None,
        then: Callable[[Reply], None] | None = None,
    ) -> list[Reply]:
        """Ask several seats at once; replies come back in the order of the seats."""

        async def one(seat: Seat) -> Reply:
            reply = await self.ask(
                seat,
                messages(seat) if messages else None,
                purpose=purpose,
                options=options(seat) if options else None,
            )
            if then is not None:
                then(reply)
            return reply

        if not seats:
            return []
        part = await self._live.its_turn(seats)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(seat)) for seat in seats]
        except BaseExceptionGroup as failures:
            # The first cause is what a mode, or the runner, can act on.
            raise failures.exceptions[0] from None
        finally:
            self._live.all_asked(part)
        return [task.result() for task in tasks]

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note; one that an earlier play has added is not repeated. Raises RepeatedStep."""
        if not self._note(name, key):
            return
        plain = msgspec.to_builtins(data)
        note = NoteView(seq=self._live.next_seq(), name=name, round=self._round, key=key, data=plain)
        self._live.notes.append(note)
        added = NoteAdded(turn_id=self._live.id, note=note)
        self._live.publish(added, self._store(added))

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:
        """Say what the seat's conversation keeps of this turn; stored only."""
        kept = mend_surrogates(text)
        self._store(SeatConcluded(turn_id=self._live.id, seat=seat.name, text=kept, revises=revises))

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name."""
        return random.Random(self._seed(f"{self._round}:{name}"))  # noqa: S311 - draws that repeat, not secrets

    async def compute(self, function: Callable[..., T], *args: object) -> T:
        """Run a heavy pure function beside the event loop."""
        async with self._computing:
            return await asyncio.to_thread(function, *args)

    def _note(self, name: str, key: str) -> bool:
        """Mark a note as announced; return whether no earlier play has stored it. Raises RepeatedStep."""
        note = (name, self._round, key)
        if note in self._noted:
            raise RepeatedStep(f"{self._script.mode} announced {name} {key!r} twice in round {self._round}")
        self._noted.add(note)
        return note not in self._stored_notes

    def _order(self, seat: Seat, record: StepRecord | None) -> int:
        """Return a step's place among the turn's replies: as asked, but of a blind turn by round and seat.

        A seat that is asked again in a blind round comes after all that were asked as often as it before.
        """
        if self._live.blind:
            here = (self._path, self._round, seat.name)
            again = sum(key[:3] == here for key in self._asked) - 1
            return self._round * ROUND + again * len(self.seats) + self.seats.index(seat)
        if record:
            return record.order
        self._next_order += 1
        return self._next_order - 1

    def _line(self, seat: Seat) -> str:
        """Return what the person has said to a seat since its last answer, interjections of this turn included."""
        interjected = (words_for(said, seat.name) for said in self._interjected)
        return as_one([*self._script.unanswered.get(seat.name, (self.prompt,)), *filter(None, interjected)])

    def _step(self, key: StepKey, question: Question) -> tuple[StepRecord | None, bool]:
        """Mark a step as asked; return its record and whether it still answers for it.

        A failure is part of the scene: it stands when a crash interrupted the turn, and is asked anew where the
        person wants that. So is what was completed, where the person asked that seat again. Once a step has been
        asked again, later ones may rightly hear something else than they did, and so may all that were asked before
        the person asked again. Raises RepeatedStep, ReplayMismatch.
        """
        _, number, seat, purpose = key
        if key in self._asked:
            raise RepeatedStep(f"{self._script.mode} asked {seat} twice for {purpose} in round {number}")
        self._asked.add(key)
        record = self._records.get(key)
        if record is None:
            return None, False
        same = record.messages_sha256 == question.sha256
        if not same and not self._renewed and not record.stale:
            raise ReplayMismatch(f"{self._script.mode} asked {seat} something else when it was played again")
        ended = record.status in ENDED or (record.status == "stopped" and record.stale)
        stands = same and ended and not record.renewed and not self._live.starts_over
        self._renewed = self._renewed or not stands
        return record, stands

    def _judgeable(self, reply: Reply) -> Reply:
        """Return the reply. Raises MatchVoided if it is incomplete and the match is judged blind."""
        if self._live.judged and not reply.completed:
            raise MatchVoided
        return reply

    def _begin_round(self, event: RoundStarted) -> None:
        self._live.begin_round(event, self._store(event))

    def _store(self, event: Event) -> bytes:
        """Store an event; returns it as JSON."""
        logged = self._live.log(event)
        self._recorder.note(logged)
        return logged.data

    def _seed(self, name: str) -> int:
        digest = hashlib.sha256(f"{self._script.turn_id}:{name}".encode()).digest()
        return int.from_bytes(digest[:6], "big")
