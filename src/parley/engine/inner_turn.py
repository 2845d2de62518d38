"""Inner turns: a mode played within a reply, sharing steps and event numbers with the outer turn."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import msgspec

from parley.engine.asking import Asker
from parley.engine.live_reply import LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.stage import LiveStage
from parley.kernel.connector import Chunk, Delta, Usage
from parley.kernel.events import Event, RoundStarted
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import Message, text_of
from parley.kernel.mode import Reply
from parley.kernel.options import AskOptions
from parley.kernel.paths import inside
from parley.kernel.ports import Ensemble, EventLogged, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import MatchView, ModelCard, SeatView


class InnerTurn(LiveTurn):
    """A turn played within a reply of another one; it has no followers."""

    inner = True

    def __init__(self, outer: LiveTurn, parent: LiveReply, script: TurnScript, match: MatchView) -> None:
        super().__init__(script, match, None, lambda _: None)
        self.parent_reply_id = parent.id
        self._outer = outer

    @property
    def hidden(self) -> bool:
        """As in the outer turn."""
        return self._outer.hidden

    @property
    def starts_over(self) -> bool:
        """As the outer turn does."""
        return self._outer.starts_over

    def log(self, event: Event) -> EventLogged:
        """Return the log entry of an event, numbered with those of the outer turn."""
        return self._outer.log(event)

    def close(self) -> None:
        """Copy from the outer turn whether it was interrupted, before replies are cancelled."""
        self.interrupted = self._outer.interrupted

    def drop(self, leftovers: Sequence[str]) -> None:
        """Report outdated replies of earlier plays to the outer turn."""
        self._outer.dropped.update(leftovers, self.dropped)

    def settle(self) -> None:
        """Report a failure to store to the outer turn."""
        self._outer.unstored = self._outer.unstored or self.unstored


class InnerStage(LiveStage):
    """A stage within a reply: notes are dropped; only the mode's voice is emitted."""

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
        """`asked_otherwise`: the outer question differs from that of the reply's last attempt."""
        super().__init__(live, asker, recorder, computing)
        self._path = path
        self._renewed = asked_otherwise
        self._voice = voice
        self._emit = emit
        self._replies: list[Reply] = []
        self._concluded: str | None = None
        self._last_reply: Reply | None = None

    @property
    def path(self) -> str:
        """The path of all replies on this stage."""
        return self._path

    @property
    def attended(self) -> bool:
        """Always false: a person's input goes to the outer turn's mode."""
        return False

    @property
    def answer(self) -> str:
        """The ensemble's answer: what the voice's conversation keeps. Empty if there is none."""
        if self._concluded is not None:
            return self._concluded
        return self._last_reply.text if self._last_reply and self._last_reply.completed else ""

    @property
    def last_reply(self) -> Reply | None:
        """The voice's last reply."""
        return self._last_reply

    def rounds(self, limit: int, *, after: int = 0) -> Iterator[int]:
        """Count rounds; emit a round's conclusion as reasoning once another round follows."""
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
            self._last_reply = reply
        self._emit(total_usage(self._replies))
        return reply

    def announce(self, name: str, data: object, *, key: str = "") -> None:  # noqa: ARG002 - nobody reads it
        """Drop the note: nobody reads it within a reply. Raises RepeatedStep."""
        self._is_new_note(name, key)

    def conclude(self, seat: Seat, text: str, *, revises: bool = False) -> None:  # noqa: ARG002 - one turn has no earlier
        """Keep the voice's conclusion; the last one counts."""
        if seat.role == self._voice:
            self._concluded = text

    def _begin_round(self, event: RoundStarted) -> None:
        """Do nothing: rounds within a reply are not those of the turn."""

    def _seed(self, name: str) -> int:
        return super()._seed(f"{self._path}:{name}")


def inner_turn(
    outer: LiveTurn,
    parent: LiveReply,
    ensemble: Ensemble,
    messages: Sequence[Message],
    card: Callable[[str], ModelCard],
) -> InnerTurn:
    """Return the turn within a reply: the last message is its prompt, all before that its history.

    System messages are put before the first question, since the inner mode has its own.
    """
    talk = _without_system(messages)
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
        attached={},
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


def path_within(parent: LiveReply) -> str:
    """Return the path of the replies within a reply."""
    return inside(parent.path, parent.seat.name, parent.round, parent.purpose)


def asked_otherwise(script: TurnScript, parent: LiveReply, asked_sha256: str) -> bool:
    """Return whether a reply's messages differ from those of its last attempt."""
    record = next((step for step in script.steps if step.reply_id == parent.id), None)
    return record is not None and record.messages_sha256 != asked_sha256


def total_usage(replies: Sequence[Reply]) -> Usage:
    """Return the total usage of replies; the cost is None if that of one is unknown."""
    taken = [reply.metrics for reply in replies if reply.metrics]
    costs = [metrics.cost_micros for metrics in taken]
    return Usage(
        input_tokens=sum(metrics.input_tokens for metrics in taken),
        output_tokens=sum(metrics.output_tokens for metrics in taken),
        reasoning_tokens=sum(metrics.reasoning_tokens for metrics in taken),
        cost_micros=None if None in costs else sum(cost for cost in costs if cost is not None),
        estimated=any(metrics.estimated for metrics in taken),
    )


def _without_system(messages: Sequence[Message]) -> list[Message]:
    rules = "\n\n".join(text_of(message) for message in messages if message.role == "system")
    talk = [message for message in messages if message.role != "system"]
    if rules:
        first = next(at for at, message in enumerate(talk) if message.role == "user")
        talk[first] = Message("user", f"{rules}\n\n{text_of(talk[first])}")
    return talk
