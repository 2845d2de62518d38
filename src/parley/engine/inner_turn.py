"""Inner turns: a mode played within a reply, sharing steps, event numbers and end with the turn around it."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import msgspec

from parley.engine.asking import Asker
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.speech import Speech
from parley.engine.stage import LiveStage
from parley.kernel.connector import Chunk, Delta, Usage
from parley.kernel.events import Event, RoundStarted
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import Message, fingerprint, text_of
from parley.kernel.mode import Reply
from parley.kernel.options import AskOptions
from parley.kernel.paths import inside
from parley.kernel.ports import Ensemble, EventLogged, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import MatchView, ModelCard, SeatView


class InnerTurn(LiveTurn):
    """The part of a turn that is played within one of its replies; it has no followers."""

    def __init__(self, outer: LiveTurn, parent: Speech, script: TurnScript, match: MatchView) -> None:
        super().__init__(script, match, None, lambda _: None)
        self.parent_reply_id = parent.id
        self._outer = outer

    @property
    def starts_over(self) -> bool:
        """As the turn around it."""
        return self._outer.starts_over

    def log(self, event: Event) -> EventLogged:
        """Return a durable event's row; all events of a turn are numbered together."""
        return self._outer.log(event)

    def close(self) -> None:
        """Copy from the turn around it why it ends, before its replies are cancelled."""
        self.interrupted = self._outer.interrupted

    def drop(self, leftovers: Sequence[str]) -> None:
        """Hand leftover replies of earlier plays to the turn around it."""
        self._outer.dropped.update(leftovers, self.dropped)

    def settle(self) -> None:
        """Hand a failure to store on to the turn around it."""
        self._outer.unstored = self._outer.unstored or self.unstored


class InnerStage(LiveStage):
    """A stage within a reply: notes are dropped, and only the mode's voice reaches the outside."""

    def __init__(
        self,
        live: InnerTurn,
        asker: Asker,
        recorder: Recorder,
        computing: asyncio.Semaphore,
        *,
        path: str,
        voice: str,
        asked_otherwise: bool,
        emit: Callable[[Chunk], None],
    ) -> None:
        """`asked_otherwise`: the messages of the reply around it differ from those of its last attempt."""
        super().__init__(live, asker, recorder, computing)
        self._path = path
        self._renewed = asked_otherwise
        self._voice = voice
        self._emit = emit
        self._replies: list[Reply] = []
        self._concluded: str | None = None
        self._spoken: Reply | None = None

    @property
    def path(self) -> str:
        """The path of all that is said on it."""
        return self._path

    @property
    def attended(self) -> bool:
        """Nobody answers within a reply: what the person says is for the turn's own mode."""
        return False

    @property
    def answer(self) -> str:
        """What the voice's conversation keeps: the answer of all. Empty where it has none."""
        if self._concluded is not None:
            return self._concluded
        return self._spoken.text if self._spoken and self._spoken.completed else ""

    @property
    def spoken(self) -> Reply | None:
        """The voice's last reply."""
        return self._spoken

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count rounds; a round's conclusion is streamed as reasoning once another round follows."""
        for number in super().rounds(limit, after=after):
            if self._concluded:
                self._emit(Delta("reasoning", f"{self._concluded}\n\n"))
            yield number

    async def ask(
        self,
        seat: Seat,
        messages: Sequence[Message] | None = None,
        *,
        purpose: str = "answer",
        options: AskOptions | None = None,
    ) -> Reply:
        """Ask one seat, and emit the usage of all replies so far."""
        reply = await super().ask(seat, messages, purpose=purpose, options=options)
        self._replies.append(reply)
        if seat.role == self._voice:
            self._spoken = reply
        self._emit(total_usage(self._replies))
        return reply

    def announce(self, name: str, data: object, *, key: str = "") -> None:  # noqa: ARG002 - nobody reads it
        """Notes belong to a match of the mode; within a reply nobody reads them. Raises RepeatedStep."""
        self._note(name, key)

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:  # noqa: ARG002 - one turn has no earlier
        """Keep what the voice says; the last word holds."""
        if seat.role == self._voice:
            self._concluded = text

    def _begin_round(self, event: RoundStarted) -> None:
        """Rounds within a reply are not those of the turn."""

    def _seed(self, name: str) -> int:
        return super()._seed(f"{self._path}:{name}")


def inner_turn(
    outer: LiveTurn,
    parent: Speech,
    ensemble: Ensemble,
    messages: Sequence[Message],
    card: Callable[[str], ModelCard],
) -> InnerTurn:
    """Return the turn within a reply: its prompt is the last thing asked, its history all before that.

    Rules that the ensemble is given stand before the first question, since its mode has rules of its own.
    """
    talk = _without_rules(messages)
    script = msgspec.structs.replace(
        outer.script,
        mode=ensemble.mode,
        brief=ensemble.brief,
        seats=ensemble.seats,
        input=PromptInput(text_of(talk[-1])),
        prompt=text_of(talk[-1]),
        history={seat.name: tuple(talk[:-1]) for seat in ensemble.seats},
        notes=(),
        unanswered={},
        earlier=(),
        inbox=Inbox(),
    )
    seats = tuple(
        SeatView(id=seat.id, name=seat.name, role=seat.role, label=seat.name, model=card(seat.model_id))
        for seat in ensemble.seats
    )
    match = msgspec.structs.replace(
        outer.match,
        mode=ensemble.mode,
        blind=False,
        paced=False,
        seats=seats,
        brief=ensemble.brief,
        ballot=None,
        vote=None,
        votes=(),
    )
    return InnerTurn(outer, parent, script, match)


def path_within(parent: Speech) -> str:
    """Return the path of what is said within a reply."""
    return inside(parent.path, parent.seat.name, parent.round, parent.purpose)


def asked_otherwise(script: TurnScript, parent: Speech, messages: Sequence[Message]) -> bool:
    """Return whether the messages of a reply differ from those of its last attempt."""
    record = next((step for step in script.steps if step.reply_id == parent.id), None)
    return record is not None and record.messages_sha256 != fingerprint(messages)


def total_usage(replies: Sequence[Reply]) -> Usage:
    """Return what replies took together; the cost is null where that of one is not known."""
    taken = [reply.metrics for reply in replies if reply.metrics]
    costs = [metrics.cost_micros for metrics in taken]
    return Usage(
        input_tokens=sum(metrics.input_tokens for metrics in taken),
        output_tokens=sum(metrics.output_tokens for metrics in taken),
        reasoning_tokens=sum(metrics.reasoning_tokens for metrics in taken),
        cost_micros=None if None in costs else sum(cost for cost in costs if cost is not None),
        estimated=any(metrics.estimated for metrics in taken),
    )


def _without_rules(messages: Sequence[Message]) -> list[Message]:
    rules = "\n\n".join(text_of(message) for message in messages if message.role == "system")
    talk = [message for message in messages if message.role != "system"]
    if rules:
        first = next(at for at, message in enumerate(talk) if message.role == "user")
        talk[first] = Message("user", f"{rules}\n\n{text_of(talk[first])}")
    return talk
