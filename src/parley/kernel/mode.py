"""The contract of a mode: a stateless script, and the stage on which it plays."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict

from parley.kernel.ballot import Ballot
from parley.kernel.caps import NOTHING_USED, Cap, Used
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.history import EarlierTurn
from parley.kernel.inputs import PROMPT, TurnInput
from parley.kernel.messages import Message, ReplyPart, ToolCall
from parley.kernel.models import Capability
from parley.kernel.options import AskOptions, Tool
from parley.kernel.outline import Outline, once_each
from parley.kernel.seats import Seat, Seating
from parley.kernel.tools import ToolResult
from parley.kernel.views import Metrics, ModelCard, ReplyStatus


class Brief(BaseModel):
    """A mode's settings for one match: frozen, validated, stored with `version`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: ClassVar[int] = 1


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One reply of a seat. A failing model is a value, not an exception: check `status`.

    The mode answers `tool_calls`: it calls the tools, and asks again, for another purpose, with the reply as an
    assistant's message and the result's message for each call.
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
    parts: tuple[ReplyPart, ...] = ()

    @property
    def completed(self) -> bool:
        """True if the model finished by itself."""
        return self.status == "completed"

    @property
    def cut_off(self) -> bool:
        """True if the output limit ended the reply: the end is missing."""
        return self.finish_reason == "length"


T = TypeVar("T")
Asking = Callable[[Seat], Sequence[Message] | None]
Choosing = Callable[[Seat], AskOptions | None]


class Stage(Protocol):
    """Asks seats for a mode. Every reply is recorded, streamed and counted.

    A step is (turn, path, round, seat, purpose); asking the same step twice raises `RepeatedStep`. In a blind, paced
    match, seats that are asked together are shown together, and asked once everything before is shown. When a turn is
    played again, ended steps are answered from the record; after a retry, only completed ones.
    """

    def limit(self, cap: Cap, used: Used = NOTHING_USED) -> None:
        """Start no call on this stage or within its ensembles once this much is used; `used` is so already.

        A call that it does not allow fails with `mode_cap_reached`; one at most goes beyond.
        """
        ...

    def extend(self, share: float) -> None:
        """Let calls use this share of the cap more than is used now; without a cap, do nothing."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the match, in order."""
        ...

    @property
    def input(self) -> TurnInput:
        """The input that began this turn."""
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
        """Interjections since the previous round, as read when the current round began."""
        ...

    @property
    def attended(self) -> bool:
        """True if a person can answer; false within an ensemble, where the inbox stays empty and a pause never ends."""
        ...

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that `call` runs, to be offered to a seat by its options."""
        ...

    @property
    def begun_at(self) -> str:
        """When this turn's input arrived: ISO 8601, UTC."""
        ...

    def role(self, role: str) -> tuple[Seat, ...]:
        """Return the seats of one role, in order."""
        ...

    def card(self, seat: Seat) -> ModelCard | None:
        """Return the model of a seat; None in a blind match, whose script must not depend on it."""
        ...

    def history(self, seat: Seat) -> tuple[Message, ...]:
        """Return the seat's own conversation in this match, before this turn's prompt."""
        ...

    def user_message(self, seat: Seat) -> Message:
        """Return what the person said to a seat since its last answer, with the pictures and files."""
        ...

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count up to `limit` rounds; each is announced, and the steps asked meanwhile belong to it.

        Numbers continue from `after`: the last round of an earlier turn that paused. Each round reads the inbox once;
        when the turn is played again, it reads the same.
        """
        ...

    async def ask(
        self,
        seat: Seat,
        messages: Sequence[Message] | None = None,
        *,
        purpose: str = "answer",
        options: AskOptions | None = None,
        tools: bool = False,
    ) -> Reply:
        """Ask one seat; by default with its own rules and history, and what the person said since.

        With `tools`, its model may call those of the session: it is asked again with the results, for the purposes
        "answer.01", "answer.02" …, and its last reply is returned.

        The seat's own settings fill in missing options. If its model cannot do what is asked, the reply has failed and
        no provider was asked. In a blind, paced match, a reply asked alone is shown once a group is asked after it, or
        the mode has ended.
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
        tools: bool = False,
    ) -> list[Reply]:
        """Ask several seats at once; return their replies in the order of the seats.

        `then` is called with each reply as soon as it ends.
        """
        ...

    async def call(
        self,
        tool: str,
        arguments: str | Mapping[str, object],
        *,
        reply: Reply | None = None,
        key: str = "",
    ) -> ToolResult:
        """Run a tool; return its result once it is stored. A tool that fails, or is unknown, is a value too.

        A `reply` may have called it: then `key` is the id of its call, and `arguments` is JSON text as the model wrote
        it. Else (round, tool, key) is the step. When the turn is played again, a call that has returned is not made
        again; after a retry, a failed one is. Raises RepeatedStep, ReplayMismatch.
        """
        ...

    def announce(self, name: str, data: object, *, key: str = "") -> None:
        """Add a note. Raises RepeatedStep for the same (name, round, key) in one play."""
        ...

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:
        """Set what the seat's conversation keeps of this turn instead of its last reply; the last call counts.

        `revises`: it also replaces what was kept of earlier turns that answered the same question.
        """
        ...

    def random(self, name: str) -> random.Random:
        """Return a generator seeded by turn, round and name: the only randomness a mode may use."""
        ...

    async def compute(self, function: Callable[..., T], *args: object) -> T:
        """Run a heavy pure function in a thread."""
        ...

    async def beside(self, main: Coroutine[Any, Any, T], other: Coroutine[Any, Any, None]) -> T:
        """Run two parts of a round at once; return what `main` returns once both have ended."""
        ...


BriefT = TypeVar("BriefT", bound=Brief)


class Mode(ABC, Generic[BriefT]):
    """A way for models to meet. Stateless; one method to write.

    `ballot`: what a person may vote on; None if there is no vote.
    `inputs`: the types of input that may begin a turn; the first turn of a match begins with a prompt.
    `listens`: the types of input accepted while a turn runs; the next round reads them.
    `takes_files`: questions may come with pictures and files, which its seats get by `stage.said`.
    `sealable`: it can be played in a sealed session, where there are no files, no tools and no votes.
    `remembers`: the mode uses `stage.earlier`, which takes some reading.
    `voice`: the role whose last reply is the answer of an ensemble; None if the mode cannot be one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    seating: ClassVar[Seating]
    ballot: ClassVar[Ballot | None] = None
    inputs: ClassVar[frozenset[str]] = PROMPT
    listens: ClassVar[frozenset[str]] = frozenset()
    takes_files: ClassVar[bool] = False
    sealable: ClassVar[bool] = False
    remembers: ClassVar[bool] = False
    voice: ClassVar[str | None] = None
    brief: type[BriefT]

    @abstractmethod
    async def play(self, stage: Stage, brief: BriefT) -> None:
        """Play one turn. Must be deterministic given the stage's replies and `stage.random`.

        Raises Unavailable if the turn cannot continue: it fails with that error.
        """

    def check(self, brief: BriefT, seats: Sequence[Seat]) -> None:
        """Raise Invalid, with a field such as `brief.roles.d`, if the settings do not fit the seats."""

    def needs(self, brief: BriefT) -> Sequence[Capability]:  # noqa: ARG002 - for modes whose settings decide it
        """Return what drawn models must be able to do, besides reading what the question has."""
        return ()

    def outline(self, brief: BriefT, seats: Sequence[Seat]) -> Outline:  # noqa: ARG002 - for modes with more to say
        """Return the calls that a turn will make; by default one of each seat."""
        return once_each(seats)

    def readable(self, text: str) -> str:
        """Return a reply's text as a transcript shows it, without the markup that the mode's prompts ask for."""
        return text


class RepeatedStep(RuntimeError):
    """A mode asked the same step, or announced the same note, twice in one play: a bug in the mode."""


class ReplayMismatch(RuntimeError):
    """A mode played again asked a finished step with other messages: it is not deterministic."""
