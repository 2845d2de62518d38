"""The contract of a mode: a stateless script, and the stage it plays on."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict

from parley.kernel.ballot import Ballot
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.history import EarlierTurn
from parley.kernel.inputs import PROMPT, TurnInput
from parley.kernel.messages import Message, ToolCall
from parley.kernel.options import AskOptions
from parley.kernel.outline import Outline, once_each
from parley.kernel.seats import Seat, Seating
from parley.kernel.views import Metrics, ModelCard, ReplyStatus


class Brief(BaseModel):
    """A mode's settings for one match: frozen, validated, stored with `version`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: ClassVar[int] = 1


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat said once. A failing model is a value: look at `status`.

    `tool_calls` of a reply that is complete wait for the mode: it asks again, for another purpose, with the reply as
    an assistant's message and a tool's message for each call.
    """

    id: str
    seat: Seat
    round: int
    text: str
    reasoning: str
    status: ReplyStatus
    metrics: Metrics | None = None
    error: Problem | None = None
    finish_reason: FinishReason | None = None
    tool_calls: tuple[ToolCall, ...] = ()

    @property
    def completed(self) -> bool:
        """True where the model said that it was done."""
        return self.status == "completed"

    @property
    def cut_off(self) -> bool:
        """True where the model was done because no more was let it say: the end is missing."""
        return self.finish_reason == "length"


T = TypeVar("T")
Asking = Callable[[Seat], Sequence[Message] | None]
Choosing = Callable[[Seat], AskOptions | None]


class Stage(Protocol):
    """Asks each seat. Everything it says is recorded, streamed and counted.

    A step is (turn, path, round, seat, purpose); asking the same step twice raises `RepeatedStep`. Where a match is
    blind and paced, whoever is asked together is shown together, and asked once all before has been shown.
    When a turn is played again, steps that ended answer from the record; where the person asked again, only
    those that were completed.
    """

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the match, in order."""
        ...

    @property
    def input(self) -> TurnInput:
        """What the person gave this turn."""
        ...

    @property
    def prompt(self) -> str:
        """The question: the text of this turn's prompt, or of the last turn that had one."""
        ...

    @property
    def earlier(self) -> tuple[EarlierTurn, ...]:
        """This match's earlier turns, oldest first; empty unless the mode `remembers` them."""
        ...

    @property
    def inbox(self) -> tuple[TurnInput, ...]:
        """What the person said since the round before, as it was read when the current round began."""
        ...

    @property
    def attended(self) -> bool:
        """True where a person may answer. Within an ensemble nobody does: the inbox stays empty, a pause has no end."""
        ...

    @property
    def begun_at(self) -> str:
        """When the person gave this turn's input: ISO 8601, UTC."""
        ...

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        ...

    def card(self, seat: Seat) -> ModelCard | None:
        """Return who sits there; None in a blind match, whose script must not depend on it."""
        ...

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        ...

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count at most `limit` rounds, announcing each; the steps asked meanwhile belong to it.

        They count on from `after`: a turn that goes on where an earlier one paused gives its last round. Each reads
        the inbox once: when the turn is played again, a round hears what it heard before.
        """
        ...

    async def ask(
        self,
        seat: Seat,
        messages: Sequence[Message] | None = None,
        *,
        purpose: str = "answer",
        options: AskOptions | None = None,
    ) -> Reply:
        """Ask one seat; without messages it gets its own rules and history, and what the person said since.

        What the options leave out is as the seat's own settings say. Where its model cannot do what is asked for, the
        reply has failed and nobody was asked.
        In a blind, paced match what a seat says alone is shown once a group is asked after it, or the mode has played.
        """
        ...

    async def ask_all(
        self,
        seats: Sequence[Seat],
        messages: Asking | None = None,
        *,
        purpose: str = "answer",
        options: Choosing | None = None,
        then: Callable[[Reply], None] | None = None,
    ) -> list[Reply]:
        """Ask several seats at once; replies come back in the order of the seats.

        `then` is called with each reply as soon as it has ended.
        """
        ...

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note: (name, round, key) once in a play, else raises `RepeatedStep`; playing again repeats none."""
        ...

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:
        """Say what the seat's conversation keeps of this turn, in place of its last reply; the last word holds.

        `revises`: it also takes the place of what was kept of earlier turns that answered the same question.
        """
        ...

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name: the only randomness a mode may use."""
        ...

    async def compute(self, function: Callable[..., T], *args: object) -> T:
        """Run a heavy pure function beside the event loop."""
        ...


BriefT = TypeVar("BriefT", bound=Brief)


class Mode(ABC, Generic[BriefT]):
    """A way for models to meet. Stateless; one method to write.

    `ballot`: what a person may judge; None where there is nothing to vote on.
    `inputs`: the types of input that a turn may begin with; the first turn of a match begins with a prompt.
    `listens`: the types of input that it takes while a turn runs; they are read when a round begins.
    `remembers`: it wants `stage.earlier`, which costs a turn some reading.
    `voice`: the role whose last word is the answer of all, where the mode sits as an ensemble; None where it cannot.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    seating: ClassVar[Seating]
    ballot: ClassVar[Ballot | None] = None
    inputs: ClassVar[frozenset[str]] = PROMPT
    listens: ClassVar[frozenset[str]] = frozenset()
    remembers: ClassVar[bool] = False
    voice: ClassVar[str | None] = None
    brief: type[BriefT]

    @abstractmethod
    async def play(self, stage: Stage, brief: BriefT) -> None:
        """Play one turn. Must be deterministic given the stage's answers and `stage.random`.

        Raises Unavailable where the scene cannot go on: the turn fails and says so.
        """

    def check(self, brief: BriefT, seats: Sequence[Seat]) -> None:
        """Raise Invalid, with a field such as `brief.roles.d`, where the settings do not go with the seats."""

    def outline(self, brief: BriefT, seats: Sequence[Seat]) -> Outline:  # noqa: ARG002 - for modes with more to say
        """Tell, before anything is asked, which calls a turn will take; by default one of each seat."""
        return once_each(seats)


class RepeatedStep(RuntimeError):
    """A mode asked the same step, or announced the same note, twice in one play: a bug in the mode."""


class ReplayMismatch(RuntimeError):
    """A mode played again asked a finished step with other messages: it is not deterministic."""
