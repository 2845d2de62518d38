"""What must hold after every fault: the invariants of reliability, checked from outside.

    watch = Watch.begin(upstream)
    …                                         # streams, votes and everything that a client was sent
    watch.streams.append(events); watch.shown.append(response.content); watch.acknowledged.append(vote)
    await watch.check(database_file, logs=caplog.text)      # raises InvariantBroken with all that is wrong

Each check is a function of its own that returns what is wrong, in words. The database is read as a
file, by its names of tables and columns, without the product's code.
"""

import asyncio
import hashlib
import itertools
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import msgspec

from tests.fakes.running import ENDS, Reader
from tests.fakes.upstream import ScriptedUpstream

SECRET = "s3cret-key-of-the-provider"
SECRET_START = b"s3cret-key"
"""A part of the key reveals it as well."""

LEFT_AFTER_S = 20.0
Events = Sequence[Mapping[str, Any]]
Problems = list[str]


class InvariantBroken(AssertionError):
    """One line for everything that is wrong."""


@dataclass
class Watch:
    """The state before an attack, and everything that clients got during it."""

    upstreams: tuple[ScriptedUpstream, ...]
    tasks: frozenset[Any]
    sockets: int
    children: frozenset[int]
    known: frozenset[str] = frozenset()
    """Earlier problems in the database, from another attack."""

    acknowledged: list[Mapping[str, Any]] = field(default_factory=list)
    """Answers to votes that were taken, each with `match_id` beside the answer's own fields."""

    streams: list[Events] = field(default_factory=list)
    """Every stream that was read from its snapshot to its end."""

    shown: list[bytes] = field(default_factory=list)
    """Everything else that a client was sent: bodies and headers."""

    @classmethod
    def begin(cls, *upstreams: ScriptedUpstream, database: Path | None = None) -> Self:
        """Record the state before the attack."""
        known = frozenset(in_the_record(database) if database else ())
        return cls(upstreams, _tasks(), open_sockets(), children(), known)

    async def check(self, database: Path, *, logs: str = "", secret: bytes = SECRET_START) -> None:
        """Check everything after the clients have gone. Raises InvariantBroken."""
        problems = [f"I5: {problem}" for problem in await _soon(self._more_than_before)]
        found = in_the_record(database, self.streams, self.acknowledged)
        problems += [problem for problem in found if problem not in self.known]
        outputs = [
            *self.shown,
            logs.encode("utf-8", "replace"),
            *(_encoded(events) for events in self.streams),
        ]
        problems += secrets_shown(outputs, secret)
        problems += secrets_shown((path.read_bytes() for path in _files_of(database)), secret)
        if problems:
            raise InvariantBroken("\n".join(problems))

    async def check_asked(self) -> None:
        """I5, the part that holds while clients are connected: no model is asked any more."""
        problems = await _soon(lambda: [f"{up.streaming} answers" for up in self.upstreams if up.streaming])
        if problems:
            raise InvariantBroken(f"I5: an upstream is still sending: {problems}")

    def _more_than_before(self) -> Problems:
        serving = {task for up in self.upstreams for task in up._tasks}
        tasks = [
            task for task in _tasks() - self.tasks if task not in serving and not _waits_for_another(task)
        ]
        problems = [f"the task {task.get_name()} is left: {task.get_coro()}" for task in tasks]
        open_here = sum(up.open_connections for up in self.upstreams)
        if open_here:
            problems.append(f"{open_here} upstream connections are left")
        elif open_sockets() > self.sockets:
            problems.append(f"{open_sockets() - self.sockets} sockets are left")
        problems += [f"the child {child} is left" for child in children() - self.children]
        return problems


def in_the_record(
    database: Path, streams: Sequence[Events] = (), acknowledged: Sequence[Mapping[str, Any]] = ()
) -> Problems:
    """Check everything that the database file shows: I1 to I4, I6 and I7."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
        file.row_factory = sqlite3.Row
        return [
            *votes_once(file, acknowledged),
            *votes_audited(file),
            *one_end_each(streams),
            *ends_in_the_record(file),
            *stored_as_streamed(file, streams),
            *votes_on_whole_replies(file),
            *money_adds_up(file),
            *sound(file),
        ]


# ── I1, I2, I4: votes ────────────────────────────────────────────────────────────────────────────


def votes_once(file: sqlite3.Connection, acknowledged: Sequence[Mapping[str, Any]]) -> Problems:
    """I1: an acknowledged vote is in the database exactly once, as it was acknowledged."""
    problems: Problems = []
    for answer in acknowledged:
        rows = file.execute(
            "select lower(hex(id)) as id, choice from votes where match_id = ?", (answer["match_id"],)
        ).fetchall()
        stored = [(row["id"], row["choice"]) for row in rows]
        if stored != [(answer["vote_id"], answer["vote"])]:
            problems.append(f"I1: the vote {answer['vote_id']} ({answer['vote']}) is stored as {stored}")
    return problems


def votes_audited(file: sqlite3.Connection) -> Problems:
    """I2: the audit log has one entry for every vote, and its chain of hashes holds; skipped where it is not there."""
    if not file.execute("select 1 from sqlite_master where name = 'audit_log'").fetchone():
        return []
    logged = Counter(row[0] for row in file.execute("select vote_id from audit_log where kind = 'vote'"))
    votes = Counter(row["id"] for row in file.execute("select lower(hex(id)) as id from votes"))
    problems = []
    if logged != votes:
        problems.append(f"I2: {sum(votes.values())} votes, {sum(logged.values())} of them audited")
    before = "0" * 64
    for row in file.execute("select seq, content, previous_sha256, sha256 from audit_log order by seq"):
        linked = hashlib.sha256((before + row["content"]).encode()).hexdigest()
        if (row["previous_sha256"], row["sha256"]) != (before, linked):
            problems.append(f"I2: entry {row['seq']} of the audit log does not fit to the one before")
        before = row["sha256"]
    return problems


def votes_on_whole_replies(file: sqlite3.Connection) -> Problems:
    """I4: no counted vote on a match with a reply that is not complete, or on a void match."""
    query = """
        select votes.id, replies.status, matches.status from votes
        join matches on matches.id = votes.match_id
        join turns on turns.match_id = matches.id
        left join replies on replies.turn_id = turns.id
        where votes.counted and (replies.status is not 'completed' or matches.status = 'void')"""
    return [
        f"I4: the vote {row[0]} counts on a {row[1]} reply of a {row[2]} match" for row in file.execute(query)
    ]


# ── I3: streams ──────────────────────────────────────────────────────────────────────────────────


def one_end_each(streams: Sequence[Events]) -> Problems:
    """I3: every stream opens with a snapshot and has exactly one end, its last event."""
    problems: Problems = []
    for events in streams:
        sequence = [event["kind"] for event in events]
        if sequence[:1] != ["turn.snapshot"]:
            problems.append(f"I3: a stream opens with {sequence[:1]}")
        if sum(kind in ENDS for kind in sequence) != 1 or sequence[-1] not in ENDS:
            problems.append(f"I3: a stream has not exactly one end: {sequence}")
        ended = Counter(
            event["reply_id"] for event in events if event["kind"] in ("reply.completed", "reply.failed")
        )
        problems += [
            f"I3: the reply {reply} ended {count} times" for reply, count in ended.items() if count > 1
        ]
    return problems


def ends_in_the_record(file: sqlite3.Connection) -> Problems:
    """I3: every turn in the record has ended, and no play of it twice."""
    problems: Problems = []
    for turn in file.execute("select id, status from turns"):
        if turn["status"] not in ("completed", "failed", "stopped"):
            problems.append(f"I3: the turn {turn['id']} is {turn['status']}")
        rows = file.execute("select kind from turn_events where turn_id = ? order by seq", (turn["id"],))
        marks = [row["kind"] for row in rows if row["kind"] in ENDS or row["kind"] == "turn.started"]
        twice = any(one in ENDS and other in ENDS for one, other in itertools.pairwise(marks))
        if twice or marks[-1:] != [f"turn.{turn['status']}"]:
            problems.append(f"I3: the {turn['status']} turn {turn['id']} is recorded as {marks}")
    query = (
        "select id, status from replies where status not in ('completed', 'incomplete', 'failed', 'stopped')"
    )
    return problems + [f"I3: the reply {row['id']} is {row['status']}" for row in file.execute(query)]


def stored_as_streamed(file: sqlite3.Connection, streams: Sequence[Events]) -> Problems:
    """I3: what is stored is what the deltas said; of a blind turn that failed, what was shown is its beginning."""
    problems: Problems = []
    for events in streams:
        if _was_played_again(file, events):
            continue
        try:
            reader = Reader()
            for event in events:
                reader.take(dict(event))
        except (AssertionError, KeyError) as error:
            problems.append(f"I3: the deltas do not fit: {error!r}")
            continue
        blind = any(event["kind"] == "turn.snapshot" and event["match"]["blind"] for event in events)
        for reply_id, reply in reader.replies.items():
            problems += _reply_as_streamed(
                file, reply_id, reply, blind=blind, cut=blind and reader.end != "turn.completed"
            )
        problems += _ends_as_streamed(file, events)
    return problems


def _was_played_again(file: sqlite3.Connection, events: Events) -> bool:
    """Return whether the turn was replayed, so that an earlier play is no longer stored."""
    plays = [event["play"] for event in events if event["kind"] == "turn.started"]
    shown = [event["turn"] for event in events if event["kind"] == "turn.snapshot"]
    play = max((*plays, *(turn["play"] for turn in shown)), default=0)
    row = file.execute("select play from turns where id = ?", (shown[0]["id"] if shown else "",)).fetchone()
    return row is not None and row["play"] > play


def _reply_as_streamed(
    file: sqlite3.Connection, reply_id: str, reply: Mapping[str, Any], *, blind: bool, cut: bool
) -> Problems:
    row = file.execute("select text, reasoning from replies where id = ?", (reply_id,)).fetchone()
    if row is None:
        return [f"I3: the reply {reply_id} is not stored"]
    problems: Problems = []
    for channel in ("text", "reasoning"):
        streamed, stored = reply[channel], row[channel]
        hidden = blind and channel == "reasoning" and not streamed
        if not (streamed == stored or hidden or (cut and stored.startswith(streamed))):
            problems.append(
                f"I3: {channel} of {reply_id}: streamed {streamed[-80:]!r}, stored {stored[-80:]!r}"
            )
    return problems


def _ends_as_streamed(file: sqlite3.Connection, events: Events) -> Problems:
    problems: Problems = []
    for event in events:
        if event["kind"] in ("reply.completed", "reply.failed"):
            row = file.execute("select status from replies where id = ?", (event["reply_id"],)).fetchone()
            status = event.get("status", "completed")
            if row is None or row["status"] != status:
                problems.append(
                    f"I3: {event['reply_id']} streamed as {status}, stored as {row and row['status']}"
                )
        elif event["kind"] in ENDS and (turn_id := event.get("turn_id")):
            row = file.execute("select status from turns where id = ?", (turn_id,)).fetchone()
            if row is None or f"turn.{row['status']}" != event["kind"]:
                problems.append(
                    f"I3: the turn {turn_id} streamed as {event['kind']}, stored as {row and row['status']}"
                )
    return problems


# ── I6, I7, I8 ───────────────────────────────────────────────────────────────────────────────────


def money_adds_up(file: sqlite3.Connection, prices: tuple[int, int] = (1, 2)) -> Problems:
    """I6: the requests of a reply's attempt cost together what its metrics say, at most one of them anything.

    Prices: `running.write_models`. What an ensemble's reply cost is in the rows of its members.
    """
    problems: Problems = []
    entries: dict[tuple[str, int], list[sqlite3.Row]] = {}
    for row in file.execute("select * from calls where reply_id is not null"):
        entries.setdefault((row["reply_id"], row["attempt"]), []).append(row)
    for (reply, attempt), rows in entries.items():
        if sum(row["input_tokens"] + row["output_tokens"] > 0 for row in rows) > 1:
            problems.append(f"I6: attempt {attempt} of {reply} is paid for more than once")
        cost = sum(row["input_tokens"] * prices[0] + row["output_tokens"] * prices[1] for row in rows)
        if sum(row["cost_micros"] or 0 for row in rows) != cost:
            problems.append(f"I6: attempt {attempt} of {reply} is not recorded at its price, {cost}")
    for reply in file.execute("select id, attempt, status, text, reasoning, metrics from replies"):
        rows = entries.get((reply["id"], reply["attempt"]), [])
        said = bool(reply["text"] or reply["reasoning"])
        if said and not rows:
            problems.append(f"I6: {reply['id']} has text, and nothing is recorded")
        metrics = msgspec.json.decode(reply["metrics"]) if reply["metrics"] else {}
        if not said and not rows and (metrics.get("input_tokens") or metrics.get("cost_micros")):
            problems.append(f"I6: {reply['id']} never began, and shows that it took something")
        requests = [row for row in rows if row["provider_id"] is not None]
        for name in ("input_tokens", "output_tokens", "cost_micros", "estimated") if requests else ():
            total = sum(row[name] or 0 for row in requests)
            if total != (metrics.get(name) or 0):
                problems.append(f"I6: {name} of {reply['id']}: recorded {total}, shown {metrics.get(name)}")
    return problems


def sound(file: sqlite3.Connection) -> Problems:
    """I7: the database passes its own checks."""
    problems = [f"I7: {row[0]}" for row in file.execute("pragma integrity_check") if row[0] != "ok"]
    return problems + [
        f"I7: a foreign key of {row[0]} leads nowhere" for row in file.execute("pragma foreign_key_check")
    ]


def secrets_shown(texts: Iterable[bytes], secret: bytes = SECRET_START) -> Problems:
    """I8: the key, or its beginning, is in none of the texts."""
    places = ((text, text.find(secret)) for text in texts)
    return [f"I8: the key is shown: {text[max(0, at - 60) : at + 40]!r}" for text, at in places if at >= 0]


def open_sockets() -> int:
    """Return the number of open sockets of this process."""
    return sum(_target(entry).startswith("socket:") for entry in Path("/proc/self/fd").iterdir())


def children() -> frozenset[int]:
    """The processes that this one has started and that are still there."""
    lists = Path("/proc/self/task").glob("*/children")
    return frozenset(int(child) for path in lists for child in path.read_text().split())


def _target(entry: Path) -> str:
    try:
        return str(entry.readlink())
    except OSError:  # the handle that listed the folder
        return ""


def _tasks() -> frozenset[Any]:
    return frozenset(asyncio.all_tasks())


def _waits_for_another(task: Any) -> bool:
    # `wait_for` puts its wait into a task of its own; where it is left, the one that waits is left too.
    return task.done() or getattr(task.get_coro(), "__qualname__", "") == "Event.wait"


def _files_of(database: Path) -> list[Path]:
    return [path for path in database.parent.rglob("*") if path.is_file()]


def _encoded(events: Events) -> bytes:
    return msgspec.json.encode(events)


async def _soon(look: Callable[[], Problems]) -> Problems:
    """Return what is still wrong after this many seconds; at once if nothing is."""
    deadline = asyncio.get_running_loop().time() + LEFT_AFTER_S
    while (problems := look()) and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return problems
