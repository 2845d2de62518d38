"""The stage: asks each seat once per step, and answers completed steps from the record.

A step goes through here in four moves:

- mark it as asked, and look up its record;
- return the recorded reply if it is still valid;
- else wait for the seat's turn to be shown, and ask the model;
- check the reply: an incomplete one voids a match that is judged blind.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from parley.engine.asking import Asker, Question
from parley.engine.drawing import drawn_alone
from parley.engine.frame import Frame
from parley.engine.live_reply import LiveReply
from parley.engine.tool_calls import ToolCaller
from parley.engine.tool_loop import ToolLoop
from parley.kernel.caps import NOTHING_USED, Cap, Used
from parley.kernel.events import RoundStarted
from parley.kernel.history import EarlierTurn, user_message, words_for
from parley.kernel.ids import random_id
from parley.kernel.inputs import TurnInput, attached_to
from parley.kernel.messages import Message, mend_surrogates
from parley.kernel.mode import Asking, Choosing, RepeatedStep, ReplayMismatch, Reply
from parley.kernel.options import NO_OPTIONS, AskOptions, Tool
from parley.kernel.paths import inside, is_within
from parley.kernel.ports import StepRecord, Tools
from parley.kernel.seats import Seat
from parley.kernel.tools import ToolCallView, ToolResult, question_of
from parley.kernel.views import ModelCard

T = TypeVar("T")
StepKey = tuple[str, int, str, str]

ROUND = 4096
"""The order numbers of one round of a blind turn."""
ENDED = frozenset(("completed", "failed", "incomplete", "stopped"))
"""Statuses of a step that is not asked again unless the person retries."""


class MatchVoided(Exception):
    """A reply of a blind match is incomplete, so nobody can judge the match."""


class LiveStage:
    """Implements the kernel's `Stage` for one play in its frame."""

    def __init__(self, frame: Frame, asker: Asker, computing: asyncio.Semaphore, tools: Tools) -> None:
        self._frame = frame
        self._audience = frame.audience
        self._script = frame.script
        self.asker = asker
        self._computing = computing
        self._caller = ToolCaller(frame, tools)
        self.loop: ToolLoop | None = None
        self._round = 0
        self._inbox: tuple[TurnInput, ...] = ()
        self._interjected: list[TurnInput] = []
        self._asked: set[StepKey] = set()
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
        """True if a person can answer; input goes to the turn's own mode."""
        return self._audience is not None

    @property
    def path(self) -> str:
        """The path of all replies on this stage."""
        return self._frame.path

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that `call` runs."""
        return tuple(self._caller.tools.descriptions())

    @property
    def begun_at(self) -> str:
        """When this turn's input arrived: ISO 8601, UTC."""
        return self._script.created_at

    @property
    def leftovers(self) -> tuple[str, ...]:
        """Ids of outdated replies that this play did not ask again, and of all inner replies within them."""
        unasked = (step for key, step in self._records.items() if key not in self._asked)
        left = [
            step for step in unasked if step.path == self.path and (step.stale or self._frame.starts_over)
        ]
        paths = [inside(step.path, step.seat, step.round, step.purpose) for step in left]
        left += [step for step in self._records.values() if any(is_within(step.path, path) for path in paths)]
        return tuple(step.reply_id for step in left)

    def limit(self, cap: Cap, used: Used = NOTHING_USED) -> None:
        """Start no call here or within ensembles once this much is used; `used` is so already."""
        if cap != Cap():
            self._frame.limit(cap, used.plus(self._script.used))

    def extend(self, share: float) -> None:
        """Let calls use this share of the cap more than is used now; without a cap, do nothing."""
        if self._frame.purse:
            self._frame.purse.extend(share)

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        return tuple(seat for seat in self.seats if seat.role == role)

    def card(self, seat: Seat) -> ModelCard | None:
        """Return the model of a seat; None in a blind match."""
        return self._frame.cards.get(seat.name)

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        return self._script.history.get(seat.name, ())

    def user_message(self, seat: Seat) -> Message:
        """Return what the person said to a seat since its last answer, with this turn's interjections."""
        script, interjected = (
            self._script,
            (words_for(interjection, seat.name) for interjection in self._interjected),
        )
        if seat.name in script.unanswered:
            texts, attached = script.unanswered[seat.name], script.attached.get(seat.name, ())
        else:
            texts, attached = (self.prompt,), tuple(each.part for each in attached_to(script.input))
        return user_message([*texts, *filter(None, interjected)], attached)

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count up to `limit` rounds after `after`; each is announced and reads the inbox once.

        What a round has read is logged before any reply of that round.
        """
        for number in range(after + 1, after + limit + 1):
            self._round = number
            unread = self._audience.read_inbox(number) if self._audience else ()
            self._inbox = tuple(interjection.input for interjection in unread)
            self._interjected += self._inbox
            ids = tuple(interjection.id for interjection in unread)
            self._frame.begin_round(RoundStarted(turn_id=self._frame.turn_id, round=number, heard=ids))
            yield number

    async def ask(
        self,
        seat: Seat,
        messages: Sequence[Message] | None = None,
        *,
        purpose: str = "answer",
        options: AskOptions | None = None,
        tools: bool = False,
    ) -> Reply:
        """Ask one seat; a step that has ended is answered from the record. Raises RepeatedStep, ReplayMismatch."""
        if tools and self.loop:
            return await self.loop.ask(seat, messages, purpose, options)
        if messages is None:
            messages = (*seat.settings.rules, *self.history(seat), self.user_message(seat))
        question = Question(tuple(messages), (options or NO_OPTIONS).or_else(seat.settings.options))
        # Marked, and ordered, before the first await: the seats of `ask_all` run as concurrent tasks.
        number = self._round
        record, valid = self._begin_step((self.path, number, seat.name, purpose), question)
        if record and valid:
            return self._hear(self.asker.recall(record, seat))
        order = self._order(seat, record)
        if self._audience:
            await self._audience.wait_to_ask((seat,))
        reply = LiveReply(
            reply_id=record.reply_id if record else random_id(),
            seat=seat,
            path=self.path,
            number=number,
            purpose=purpose,
            order=order,
            attempt=record.attempt + 1 if record else 1,
            now=asyncio.get_running_loop().time(),
        )
        seed = self._frame.seed_number(f"{seat.id}:{number}:{purpose}")
        return self._hear(await self.asker.ask(reply, question, seed=seed, earlier=record))

    async def ask_all(
        self,
        seats: Sequence[Seat],
        messages: Asking | None = None,
        *,
        purpose: str = "answer",
        options: Choosing | None = None,
        then: Callable[[Reply], None] | None = None,
        tools: bool = False,
    ) -> list[Reply]:
        """Ask several seats at once; replies come back in the order of the seats."""

        async def one(seat: Seat) -> Reply:
            reply = await self.ask(
                seat,
                messages(seat) if messages else None,
                purpose=purpose,
                options=options(seat) if options else None,
                tools=tools,
            )
            if then is not None:
                then(reply)
            return reply

        if not seats:
            return []
        group = await self._audience.wait_to_ask(seats) if self._audience else None
        try:
            async with asyncio.TaskGroup() as asking:
                tasks = [asking.create_task(one(seat)) for seat in seats]
        except BaseExceptionGroup as failures:
            # A mode or the runner can act on the first cause.
            raise failures.exceptions[0] from None
        finally:
            if self._audience:
                self._audience.end_group(group)
        return [task.result() for task in tasks]

    async def call(
        self,
        tool: str,
        arguments: str | Mapping[str, object],
        *,
        reply: Reply | None = None,
        key: str = "",
    ) -> ToolResult:
        """Run a tool; one that has returned is answered from the record. Raises RepeatedStep, ReplayMismatch."""
        if not isinstance(arguments, str):
            arguments = msgspec.json.encode(arguments, order="sorted").decode()
        step = (self.path, str(self._round), tool, key)
        return await self._caller.call(
            ToolCallView(
                id=key if reply else "/".join(filter(None, step)),
                reply_id=reply.id if reply else None,
                round=reply.round if reply else self._round,
                attempt=self._frame.replies[reply.id].attempt if reply else 1,
                name=tool,
                arguments=arguments,
            )
        )

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note, unless an earlier play has added it. Raises RepeatedStep."""
        note = (name, self._round, key)
        if note in self._announced:
            raise RepeatedStep(f"{self._script.mode} announced {name} {key!r} twice in round {self._round}")
        self._announced.add(note)
        if note not in self._stored_notes:
            self._frame.announce(name, self._round, key, msgspec.to_builtins(data))

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:
        """Set what the seat's conversation keeps of this turn; stored, never published."""
        self._frame.conclude(seat, mend_surrogates(text), revises=revises)

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name."""
        return random.Random(self._frame.seed_number(f"{self._round}:{name}"))  # noqa: S311 - draws that repeat, not secrets

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

    def _order(self, seat: Seat, record: StepRecord | None) -> int:
        """Return a step's order number: as asked, but by round and seat in a blind turn.

        In a blind round, a seat's second question comes after every seat's first; the steps of an answer have one.
        """
        if self._audience and self._audience.blind:
            here = (self.path, self._round, seat.name)
            purposes = {question_of(purpose) for *place, purpose in self._asked if tuple(place) == here}
            again = len(purposes) - 1
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
        if not same and not self._frame.renewed and not record.stale:
            raise ReplayMismatch(f"{self._script.mode} asked {seat} something else when it was played again")
        stands = drawn_alone(record) or not self._frame.starts_over
        valid = same and record.status in ENDED and not record.renewed and stands
        self._frame.renewed = self._frame.renewed or not valid
        return record, valid

    def _hear(self, reply: Reply) -> Reply:
        """Return the reply. Raises MatchVoided if it is incomplete and the match is judged blind."""
        if self._audience and self._audience.judged and not reply.completed:
            raise MatchVoided
        if self._frame.voice:
            self._frame.voice.hear(reply)
        return reply
