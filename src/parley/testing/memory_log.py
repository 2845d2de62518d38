"""A turn log in memory, which also builds the script of a turn that is played again."""

from collections.abc import Sequence
from typing import Any

import msgspec

from parley.kernel.calls import CallEnded
from parley.kernel.errors import NotFound, Unavailable
from parley.kernel.events import TurnRenewed, event_kind
from parley.kernel.history import Conclusion, EarlierReply, EarlierTurn
from parley.kernel.inbox import read_inbox
from parley.kernel.messages import ToolCall
from parley.kernel.ports import (
    Beside,
    EventLogged,
    LogEntry,
    ReplyEnded,
    ReplyOpened,
    ReplyText,
    StepRecord,
    TurnBegun,
    TurnEnded,
    TurnScript,
)
from parley.kernel.tools import read_tools
from parley.kernel.views import NoteView

_ENDING = ("status", "text", "reasoning", "finish_reason", "metrics", "error", "parts")


class MemoryLog:
    """Implements the kernel's port `TurnLog`.

    While `broken` is set, every write raises it; an entry of the type `refuse` cannot be stored.
    """

    def __init__(self, *scripts: TurnScript) -> None:
        self.scripts = {script.turn_id: script for script in scripts}
        self.transactions: list[list[LogEntry]] = []
        self.tries = 0
        self.broken: Exception | None = None
        self.refuse: type[LogEntry] | None = None

    @property
    def entries(self) -> list[LogEntry]:
        """Everything that is stored, in order."""
        return [entry for transaction in self.transactions for entry in transaction]

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn again. Raises NotFound."""
        script = self.scripts.get(turn_id)
        if script is None:
            raise NotFound("This turn doesn't exist.")
        mine = self._of(turn_id)
        events = [entry for entry in mine if isinstance(entry, EventLogged)]
        since, renewed = _since_renewed(events)
        started = {data["reply_id"] for kind, data in since if kind == "reply.started"}
        stale = {step.reply_id for step in _steps(mine) if renewed and step.reply_id not in started}
        steps = [
            msgspec.structs.replace(
                step,
                stale=step.reply_id in stale,
                renewed=step.reply_id in stale and step.status != "completed",
            )
            for step in _steps(mine)
        ]
        return msgspec.structs.replace(
            script,
            play=max((entry.play for entry in mine if isinstance(entry, TurnBegun)), default=0) + 1,
            next_seq=max((entry.seq for entry in events), default=-1) + 1,
            steps=tuple(steps),
            notes=_notes(since),
            inbox=read_inbox(map(_decoded, events)),
            tools=read_tools(map(_decoded, events)),
        )

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store entries. Raises `broken`, ValueError for an entry to `refuse`."""
        self.tries += 1
        if self.broken is not None:
            raise self.broken
        if self.refuse is not None and any(isinstance(entry, self.refuse) for entry in entries):
            raise ValueError("such an entry cannot be stored")
        self.transactions.append(list(entries))

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that have not ended."""
        return [turn_id for turn_id in self.scripts if self.ended(turn_id) is None]

    def renew(self, turn_id: str) -> None:
        """Log a retry."""
        seq = (
            max((entry.seq for entry in self._of(turn_id) if isinstance(entry, EventLogged)), default=-1) + 1
        )
        event = TurnRenewed(turn_id=turn_id)
        data = msgspec.json.encode(event)
        self.transactions.append([EventLogged(turn_id=turn_id, seq=seq, kind=event_kind(event), data=data)])

    # ── for tests ────────────────────────────────────────────────────────────────────────────────

    def busy(self) -> None:
        """Fail every write from now on."""
        self.broken = Unavailable("The database is locked.", code="database_busy")

    def kinds(self, turn_id: str | None = None) -> list[str]:
        """Return the kinds of the durable events, in order. Raises AssertionError where a number was used twice."""
        logged = [entry for entry in self.entries if isinstance(entry, EventLogged)]
        if len({(entry.turn_id, entry.seq) for entry in logged}) < len(logged):
            raise AssertionError("a number was used twice")
        return [entry.kind for entry in logged if turn_id in (None, entry.turn_id)]

    def ended(self, turn_id: str) -> TurnEnded | None:
        """Return how the latest play of a turn ended; None while it is running."""
        mine = [entry for entry in self.entries if isinstance(entry, TurnBegun | TurnEnded)]
        last = [entry for entry in mine if entry.turn_id == turn_id][-1:]
        return next((entry for entry in last if isinstance(entry, TurnEnded)), None)

    def replies(self) -> dict[str, StepRecord]:
        """Return every step by seat, or by seat/round/purpose if a seat replied more than once."""
        steps = _steps(self.entries)
        plain = len({step.seat for step in steps}) == len(steps)
        return {step.seat if plain else f"{step.seat}/{step.round}/{step.purpose}": step for step in steps}

    def calls(self) -> list[CallEnded]:
        """Return every request to a provider, and every call that sent none."""
        return [entry for entry in self.entries if isinstance(entry, CallEnded)]

    def earlier(self, turn_id: str) -> EarlierTurn:
        """Return a turn as later ones see it; a turn without an end counts as completed."""
        script, mine, ended = self.scripts[turn_id], self._of(turn_id), self.ended(turn_id)
        events = [entry for entry in mine if isinstance(entry, EventLogged)]
        since, _ = _since_renewed(events)
        replies = [
            EarlierReply(
                seat=step.seat,
                round=step.round,
                purpose=step.purpose,
                text=step.text,
                status=step.status,
                parts=step.parts,
            )
            for step in _steps(mine)
            if not step.path
        ]
        concluded = [data for kind, data in since if kind == "seat.concluded"]
        return EarlierTurn(
            index=script.index,
            input=script.input,
            status=ended.status if ended else "completed",
            replies=tuple(sorted(replies, key=lambda reply: (reply.round, reply.seat, reply.purpose))),
            notes=_notes(since),
            heard=read_inbox(map(_decoded, events)).heard,
            concluded={data["seat"]: Conclusion(data["text"], data["revises"]) for data in concluded},
        )

    def _of(self, turn_id: str) -> list[LogEntry]:
        opened = {entry.reply_id: entry.turn_id for entry in self.entries if isinstance(entry, ReplyOpened)}
        return [
            entry
            for entry in self.entries
            if not isinstance(entry, Beside)
            and (opened[entry.reply_id] if isinstance(entry, ReplyText) else entry.turn_id) == turn_id
        ]


def _decoded(entry: EventLogged) -> tuple[str, dict[str, Any]]:
    return entry.kind, msgspec.json.decode(entry.data)


def _since_renewed(events: Sequence[EventLogged]) -> tuple[list[tuple[str, dict[str, Any]]], bool]:
    """Return the events since the last retry, and whether there was one."""
    renewed = max((entry.seq for entry in events if entry.kind == "turn.renewed"), default=-1)
    return [_decoded(entry) for entry in events if entry.seq > renewed], renewed >= 0


def _notes(events: Sequence[tuple[str, dict[str, Any]]]) -> tuple[NoteView, ...]:
    return tuple(msgspec.convert(data["note"], NoteView) for kind, data in events if kind == "note.added")


def _steps(entries: Sequence[LogEntry]) -> tuple[StepRecord, ...]:
    """Return every step with its latest attempt."""
    steps: dict[str, StepRecord] = {}

    def change(reply_id: str, **fields: Any) -> None:
        steps[reply_id] = msgspec.structs.replace(steps[reply_id], **fields)

    for entry in entries:
        if isinstance(entry, ReplyOpened):
            key = {name: getattr(entry, name) for name in ("reply_id", "path", "round", "seat", "purpose")}
            opened = {name: getattr(entry, name) for name in ("order", "attempt", "messages_sha256")}
            reply = {"status": "waiting", "text": "", "reasoning": "", "finish_reason": None}
            none = {"metrics": None, "error": None, "stale": False, "renewed": False, "parts": ()}
            steps[entry.reply_id] = msgspec.convert({**key, **opened, **reply, **none}, StepRecord)
        elif isinstance(entry, ReplyText) and steps[entry.reply_id].attempt == entry.attempt:
            change(entry.reply_id, status="streaming", text=entry.text, reasoning=entry.reasoning)
        elif isinstance(entry, ReplyEnded) and steps[entry.reply_id].attempt == entry.attempt:
            change(entry.reply_id, **{name: getattr(entry, name) for name in _ENDING})
        elif isinstance(entry, EventLogged) and entry.kind == "tool.called":
            _, data = _decoded(entry)
            if data["reply_id"] is None:
                continue
            calls = steps[data["reply_id"]].tool_calls
            call = ToolCall(len(calls), data["call_id"], data["name"], data["arguments"])
            change(data["reply_id"], tool_calls=(*calls, call))
        elif isinstance(entry, TurnEnded):
            for reply_id in entry.dropped:
                del steps[reply_id]
    return tuple(steps.values())
