"""The stage: asks each seat once per step, and answers completed steps from the record.

A step goes through here in four moves:

- mark it as asked, and look up its record;
- return the recorded reply if it is still valid;
- else wait for the seat's turn to be shown, and ask the model;
- check the reply: an incomplete one voids a match that is judged blind.
"""

import asyncio
import hashlib
import random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from parley.engine.asking import Asker, Question
from parley.engine.live_reply import LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.kernel.events import Event, NoteAdded, RoundStarted, SeatConcluded
from parley.kernel.history import EarlierTurn, said, words_for
from parley.kernel.ids import random_id
from parley.kernel.inputs import TurnInput, attached_to
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
"""How many order numbers one round of a blind turn has."""
ENDED = frozenset(("completed", "failed", "incomplete", "stopped"))
"""Statuses of a step that is not asked again unless the person retries."""


class MatchVoided(Exception):
    """A reply of a blind match is incomplete, so nobody can judge the match."""


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
        self._announced: set[tuple[str, int, str]] = set()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the match, in order."""
        return self._script.seats

    @property
    def input(self) -> TurnInput:
        """The input that began this turn."""
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
        """Interjections since the previous round, as read when the current round began."""
        return self._inbox

    @property
    def attended(self) -> bool:
        """True if a person can answer."""
        return True

    @property
    def begun_at(self) -> str:
        """When this turn's input arrived: ISO 8601, UTC."""
        return self._script.created_at

    @property
    def leftovers(self) -> tuple[str, ...]:
        """Ids of outdated replies that this play did not ask again, and of all inner replies within them."""
        unasked = (step for key, step in self._records.items() if key not in self._asked)
        left = [
            step for step in unasked if step.path == self._path and (step.stale or self._live.starts_over)
        ]
        paths = [inside(step.path, step.seat, step.round, step.purpose) for step in left]
        left += [step for step in self._records.values() if any(is_within(step.path, path) for path in paths)]
        return tuple(step.reply_id for step in left)

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        return tuple(seat for seat in self.seats if seat.role == role)

    def card(self, seat: Seat) -> ModelCard | None:
        """Return the model of a seat; None in a blind match."""
        return next((view.model for view in self._live.match.seats if view.name == seat.name), None)

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        return self._script.history.get(seat.name, ())

    def said(self, seat: Seat) -> Message:
        """Return what the person said to a seat since its last answer, with this turn's interjections."""
        script, interjected = self._script, (words_for(given, seat.name) for given in self._interjected)
        if seat.name in script.unanswered:
            texts, attached = script.unanswered[seat.name], script.attached.get(seat.name, ())
        else:
            texts, attached = (self.prompt,), tuple(each.part for each in attached_to(script.input))
        return said([*texts, *filter(None, interjected)], attached)

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count up to `limit` rounds after `after`; each is announced and reads the inbox once.

        What a round has read is logged before any reply of that round.
        """
        for number in range(after + 1, after + limit + 1):
            self._round = number
            unread = self._live.read_inbox(number)
            self._inbox = tuple(interjection.input for interjection in unread)
            self._interjected += self._inbox
            ids = tuple(interjection.id for interjection in unread)
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
        """Ask one seat; a step that has ended is answered from the record. Raises RepeatedStep, ReplayMismatch."""
        if messages is None:
            messages = (*seat.settings.rules, *self.history(seat), self.said(seat))
        question = Question(tuple(messages), (options or NO_OPTIONS).or_else(seat.settings.options))
        # Marked, and ordered, before the first await: the seats of `ask_all` run as concurrent tasks.
        record, valid = self._begin_step((self._path, self._round, seat.name, purpose), question)
        if record and valid:
            return self._check_judgeable(self._asker.recall(record, seat))
        order = self._order(seat, record)
        number = self._round
        await self._live.wait_to_ask((seat,))
        reply = LiveReply(
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
        return self._check_judgeable(await self._asker.ask(reply, question, seed=seed))

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
        group = await self._live.wait_to_ask(seats)
        try:
            async with asyncio.TaskGroup() as asking:
                tasks = [asking.create_task(one(seat)) for seat in seats]
        except BaseExceptionGroup as failures:
            # A mode or the runner can act on the first cause.
            raise failures.exceptions[0] from None
        finally:
            self._live.end_group(group)
        return [task.result() for task in tasks]

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note, unless an earlier play has added it. Raises RepeatedStep."""
        if not self._is_new_note(name, key):
            return
        plain = msgspec.to_builtins(data)
        note = NoteView(seq=self._live.next_seq(), name=name, round=self._round, key=key, data=plain)
        self._live.notes.append(note)
        added = NoteAdded(turn_id=self._live.id, note=note)
        self._live.publish(added, self._store(added))

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:
        """Set what the seat's conversation keeps of this turn; stored, never published."""
        text = mend_surrogates(text)
        self._store(SeatConcluded(turn_id=self._live.id, seat=seat.name, text=text, revises=revises))

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name."""
        return random.Random(self._seed(f"{self._round}:{name}"))  # noqa: S311 - draws that repeat, not secrets

    async def compute(self, function: Callable[..., T], *args: object) -> T:
        """Run a heavy pure function in a thread."""
        async with self._computing:
            return await asyncio.to_thread(function, *args)

    async def beside(self, main: Coroutine[Any, Any, T], other: Coroutine[Any, Any, None]) -> T:
        """Run two parts of a round at once; return what `main` returns once both have ended."""
        try:
            async with asyncio.TaskGroup() as both:
                result = both.create_task(main)
                both.create_task(other)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return result.result()

    def _is_new_note(self, name: str, key: str) -> bool:
        """Return whether no earlier play has stored this note. Raises RepeatedStep if this play announced it."""
        note = (name, self._round, key)
        if note in self._announced:
            raise RepeatedStep(f"{self._script.mode} announced {name} {key!r} twice in round {self._round}")
        self._announced.add(note)
        return note not in self._stored_notes

    def _order(self, seat: Seat, record: StepRecord | None) -> int:
        """Return a step's order number: as asked, but by round and seat in a blind turn.

        In a blind round, a seat's second question comes after every seat's first.
        """
        if self._live.blind:
            here = (self._path, self._round, seat.name)
            again = sum(key[:3] == here for key in self._asked) - 1
            return self._round * ROUND + again * len(self.seats) + self.seats.index(seat)
        if record:
            return record.order
        self._next_order += 1
        return self._next_order - 1

    def _begin_step(self, key: StepKey, question: Question) -> tuple[StepRecord | None, bool]:
        """Mark a step as asked; return its record and whether that record is still valid.

        A failure stays valid when the turn resumes after a crash; a retry asks it again. Once one step is asked again,
        the messages of later steps may differ, and so may those of steps from before the retry. Raises RepeatedStep,
        ReplayMismatch.
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
        valid = same and record.status in ENDED and not record.renewed and not self._live.starts_over
        self._renewed = self._renewed or not valid
        return record, valid

    def _check_judgeable(self, reply: Reply) -> Reply:
        """Return the reply. Raises MatchVoided if it is incomplete and the match is judged blind."""
        if self._live.judged and not reply.completed:
            raise MatchVoided
        return reply

    def _begin_round(self, event: RoundStarted) -> None:
        self._live.begin_round(event, self._store(event))

    def _store(self, event: Event) -> bytes:
        """Enqueue an event for the log; return it as JSON."""
        logged = self._live.log(event)
        self._recorder.enqueue(logged)
        return logged.data

    def _seed(self, name: str) -> int:
        digest = hashlib.sha256(f"{self._script.turn_id}:{name}".encode()).digest()
        return int.from_bytes(digest[:6], "big")
