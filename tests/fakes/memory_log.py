"""A turn log in memory: keeps what it is given and builds the script of a turn that is played again."""

from collections.abc import Sequence

import msgspec

from parley.kernel.connector import FinishReason
from parley.kernel.errors import NotFound, Unavailable
from parley.kernel.events import TurnRenewed, event_kind
from parley.kernel.inbox import read_inbox
from parley.kernel.messages import ToolCall
from parley.kernel.ports import (
    EventLogged,
    LogEntry,
    ReplyEnded,
    ReplyOpened,
    ReplyText,
    Spent,
    StepRecord,
    TurnBegun,
    TurnEnded,
    TurnScript,
)
from parley.kernel.views import NoteView


class MemoryLog:
    """Implements the kernel's port `TurnLog`. `broken` is what every write raises while it is set."""

    def __init__(self, *scripts: TurnScript) -> None:
        self.scripts = {script.turn_id: script for script in scripts}
        self.transactions: list[list[LogEntry]] = []
        self.tries = 0
        self.broken: Exception | None = None
        self.refuse: type[LogEntry] | None = None

    @property
    def entries(self) -> list[LogEntry]:
        return [entry for transaction in self.transactions for entry in transaction]

    async def read(self, turn_id: str) -> TurnScript:
        script = self.scripts.get(turn_id)
        if script is None:
            raise NotFound("This turn does not exist.")
        mine = [entry for entry in self.entries if _turn_of(entry, self.entries) == turn_id]
        events = [entry for entry in mine if isinstance(entry, EventLogged)]
        renewed = max((entry.seq for entry in events if entry.kind == "turn.renewed"), default=-1)
        since = [(entry.kind, msgspec.json.decode(entry.data)) for entry in events if entry.seq > renewed]
        noted = [data["note"] for kind, data in since if kind == "note.added"]
        asked = {data["reply_id"] for kind, data in since if kind == "reply.started"}
        stale = {step.reply_id for step in _steps(mine) if renewed >= 0 and step.reply_id not in asked}
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
            notes=tuple(msgspec.convert(note, NoteView) for note in noted),
            inbox=read_inbox((entry.kind, msgspec.json.decode(entry.data)) for entry in events),
        )

    async def write(self, entries: Sequence[LogEntry]) -> None:
        self.tries += 1
        if self.broken is not None:
            raise self.broken
        if self.refuse is not None and any(isinstance(entry, self.refuse) for entry in entries):
            raise ValueError("such an entry cannot be stored")
        self.transactions.append(list(entries))

    def renew(self, turn_id: str) -> None:
        """The person asks again what is not complete."""
        events = [entry for entry in self.entries if isinstance(entry, EventLogged)]
        seq = max((entry.seq for entry in events if entry.turn_id == turn_id), default=-1) + 1
        event = TurnRenewed(turn_id=turn_id)
        data = msgspec.json.encode(event)
        self.transactions.append([EventLogged(turn_id=turn_id, seq=seq, kind=event_kind(event), data=data)])

    async def unfinished(self) -> Sequence[str]:
        return [turn_id for turn_id in self.scripts if self.ended(turn_id) is None]

    # ── what tests ask ───────────────────────────────────────────────────────────────────────────

    def busy(self) -> None:
        """Fail every write from now on."""
        self.broken = Unavailable("The database is locked.", code="database_busy")

    def kinds(self, turn_id: str | None = None) -> list[str]:
        """Kinds of the durable events, in order."""
        logged = [entry for entry in self.entries if isinstance(entry, EventLogged)]
        assert len({(entry.turn_id, entry.seq) for entry in logged}) == len(logged), "a number was used twice"
        return [entry.kind for entry in logged if turn_id in (None, entry.turn_id)]

    def ended(self, turn_id: str) -> TurnEnded | None:
        """How the latest play of a turn ended; None while it is running."""
        last: TurnEnded | None = None
        for entry in self.entries:
            if isinstance(entry, TurnBegun) and entry.turn_id == turn_id:
                last = None
            elif isinstance(entry, TurnEnded) and entry.turn_id == turn_id:
                last = entry
        return last

    def replies(self) -> dict[str, StepRecord]:
        """Every step as it stands, by seat (and round and purpose where a seat spoke more than once)."""
        steps = _steps(self.entries)
        plain = len({step.seat for step in steps}) == len(steps)
        return {step.seat if plain else f"{step.seat}/{step.round}/{step.purpose}": step for step in steps}

    def spent(self) -> list[Spent]:
        """Everything that was booked."""
        return [entry for entry in self.entries if isinstance(entry, Spent)]


def _turn_of(entry: LogEntry, entries: Sequence[LogEntry]) -> str | None:
    if not isinstance(entry, ReplyText):
        return entry.turn_id
    opened = (each for each in entries if isinstance(each, ReplyOpened) and each.reply_id == entry.reply_id)
    return next(opened).turn_id


def _called(step: StepRecord, event: EventLogged) -> StepRecord:
    data = msgspec.json.decode(event.data)
    call = ToolCall(len(step.tool_calls), data["call_id"], data["name"], data["arguments"])
    return msgspec.structs.replace(step, tool_calls=(*step.tool_calls, call))


def _steps(entries: Sequence[LogEntry]) -> tuple[StepRecord, ...]:
    steps: dict[str, StepRecord] = {}
    nothing: FinishReason | None = None
    for entry in entries:
        if isinstance(entry, ReplyOpened):
            steps[entry.reply_id] = StepRecord(
                reply_id=entry.reply_id,
                path=entry.path,
                round=entry.round,
                seat=entry.seat,
                purpose=entry.purpose,
                order=entry.order,
                attempt=entry.attempt,
                status="waiting",
                text="",
                reasoning="",
                messages_sha256=entry.messages_sha256,
                finish_reason=nothing,
                metrics=None,
                error=None,
                stale=False,
                renewed=False,
            )
        elif isinstance(entry, ReplyText) and steps[entry.reply_id].attempt == entry.attempt:
            said = {"status": "streaming", "text": entry.text, "reasoning": entry.reasoning}
            steps[entry.reply_id] = msgspec.structs.replace(steps[entry.reply_id], **said)
        elif isinstance(entry, ReplyEnded) and steps[entry.reply_id].attempt == entry.attempt:
            fields = ("status", "text", "reasoning", "finish_reason", "metrics", "error")
            ended = {name: getattr(entry, name) for name in fields}
            steps[entry.reply_id] = msgspec.structs.replace(steps[entry.reply_id], **ended)
        elif isinstance(entry, EventLogged) and entry.kind == "tool.called":
            reply_id = msgspec.json.decode(entry.data)["reply_id"]
            steps[reply_id] = _called(steps[reply_id], entry)
        elif isinstance(entry, TurnEnded):
            for reply_id in entry.dropped:
                del steps[reply_id]
    return tuple(steps.values())
