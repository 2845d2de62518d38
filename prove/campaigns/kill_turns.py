"""Kill -9 in mid-turn: turns resume at the next start; no finished reply is asked again except a battle's."""

import asyncio
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from prove.campaign import Batch, Campaign, Tally
from prove.forks import an_installation
from prove.wires import BROKEN, Wire
from tests.fakes.running import Reader
from tests.fakes.upstream import ScriptedUpstream

TEXTS = {
    "ada": tuple(f"Ada’s {number}. word, " for number in range(12)),
    "bob": tuple(f"“Bob” {number} — ü🙂 " for number in range(30)),
    "cleo": tuple(f"cleo\n{number}: " + "x" * number for number in range(50)),
}
PAUSES_S = {"ada": 0.006, "bob": 0.015, "cleo": 0.025}
WHOLE = {model: "".join(pieces) for model, pieces in TEXTS.items()}
TURNS = 6
"""How many turns each trial adds."""

SHORT_S, LONG_S = 0.45, 1.5
"""The latest moments of a kill; the long ones are past the first checkpoint of running texts."""

SETTLE_EVERY = 5
"""After this many kills all turns may end."""


@dataclass
class Asked:
    """A turn that a client started, and what it received of it."""

    prompt: str
    mode: str
    model: str
    reader: Reader = field(default_factory=Reader)
    turn_id: str | None = None
    completed: set[str] = field(default_factory=set)
    """Replies that were reported to the client as complete."""

    @property
    def body(self) -> dict[str, Any]:
        seats = {} if self.mode == "battle" else {"seats": {"assistant": self.model}}
        return {"prompt": self.prompt, "mode": self.mode, **seats}

    async def follow(self, port: int) -> None:
        """Start the turn and read its stream until it ends or breaks off."""
        try:
            with await Wire.open(port) as wire:
                key = {"Idempotency_Key": self.prompt, "Accept": "text/event-stream"}
                await wire.begin("POST", "/api/sessions", self.body, **key)
                async for event in wire.events():
                    self.reader.take(event)
                    if event["kind"] == "turn.snapshot":
                        self.turn_id = event["turn"]["id"]
                    elif event["kind"] == "reply.completed":
                        self.completed.add(event["reply_id"])
        except BROKEN:
            pass


class KillTurns:
    name = "kill-turns"
    guarantee = (
        "Kill -9 in mid-turn: after the next start every turn goes on to one end, whole and paid for once; "
        "a battle asks both sides anew."
    )
    trials = 400
    batch = 20
    sample = 2

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_Attack(batch).run())

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=min(batch.count, 3))
        return asyncio.run(_Attack(few, "forget-resume").run())

    def summary(self, tally: Tally) -> str:
        total = {name: int(sum(values)) for name, values in tally.figures.items()}
        return (
            f"{total.get('turns', 0):,} turns, {total.get('cut', 0):,} of them cut off at least once; "
            f"{total.get('partial', 0):,} texts were stored in part at a kill; "
            f"{total.get('again', 0):,} calls were made again, for finished replies only those of battles: "
            f"{total.get('anew', 0):,}"
        )


class _Attack:
    def __init__(self, batch: Batch, planted: str | None = None) -> None:
        self.batch = batch
        self.planted = planted
        self.tally = Tally()
        self.asked: list[Asked] = []
        self.done: dict[tuple[str, str], int] = {}
        """How often the model was asked, by prompt and model, where its reply was stored as complete."""
        self.cut: dict[tuple[str, str], int] = {}
        """How often the model was asked, by prompt and model, when its battle was last cut off."""

    async def run(self) -> Tally:
        async with ScriptedUpstream() as upstream:
            for model, pieces in TEXTS.items():
                upstream.reply(*pieces, delay=PAUSES_S[model], model=model)
            self.upstream = upstream
            with an_installation(self.batch.folder, upstream.url, tuple(TEXTS)) as installation:
                self.installation = installation
                for trial in range(self.batch.first, self.batch.first + self.batch.count):
                    await self._kill_once(trial)
                    if (trial + 1) % SETTLE_EVERY == 0:
                        await self._settle()
                    self.tally.trials += 1
                    self.batch.step()
                await self._settle()
        return self.tally

    async def _kill_once(self, trial: int) -> None:
        chance = self.batch.chance(trial)
        server = await self.installation.start(self.planted).ready()
        fresh = [
            Asked(f"Question {trial}-{number}?", mode, chance.choice(list(TEXTS)))
            for number, mode in enumerate(("battle", "chat") * (TURNS // 2))
        ]
        self.asked += fresh
        following = [asyncio.create_task(asked.follow(self.installation.port)) for asked in fresh]
        await asyncio.sleep(chance.uniform(0, LONG_S if trial % SETTLE_EVERY == 1 else SHORT_S))
        server.kill()
        await asyncio.gather(*following)
        await self.upstream.wait_until_idle(5)
        record = _read_copy(self.installation.database, self.batch.folder / "copy.db")
        self._judge(record)
        counts = self._counts()
        battles = {asked.prompt for asked in self.asked if asked.mode == "battle"}
        for reply in record.replies:
            pair = reply.prompt, reply.model
            if reply.prompt in battles and record.turns[reply.prompt].status == "running":
                self.cut[pair] = counts[pair]
                self.tally.note("anew", reply.status == "completed")
            elif reply.status == "completed":
                self.done.setdefault(pair, counts[pair])
        cut = [asked for asked in fresh if asked.reader.end is None]
        self.tally.note("cut", len(cut))
        self.tally.note(
            "partial", sum(0 < len(reply.text) < len(WHOLE[reply.model]) for reply in record.replies)
        )

    async def _settle(self) -> None:
        """Start once more, send every request again under its key, wait for the ends, and compare."""
        if not self.asked:
            return
        server = await self.installation.start(self.planted).ready()
        await asyncio.gather(*(self._is_taken_up(asked.turn_id) for asked in self.asked if asked.turn_id))
        outcomes = await asyncio.gather(*(self._again(asked) for asked in self.asked))
        for asked, outcome in zip(self.asked, outcomes, strict=True):
            if outcome is None:
                self._fail(f"the turn that was begun with the key {asked.prompt} did not end in 20 s")
            elif asked.turn_id not in (None, outcome["turn_id"]):
                self._fail("the same key gave another turn")
            elif outcome["status"] != "completed":
                self._fail(f"a turn ended as {outcome['status']}")
        server.kill()
        record = _read(self.installation.database)
        self._judge(record)
        if unfinished := [prompt for prompt, turn in record.turns.items() if turn.status == "running"]:
            self._fail(f"{len(unfinished)} turns never ended")
        self._judge_calls()
        self.tally.note("turns", len(self.asked))
        self.asked, self.done, self.cut = [], {}, {}
        self.upstream.requests.clear()

    async def _is_taken_up(self, turn_id: str) -> None:
        with await Wire.open(self.installation.port) as wire:
            answer = await wire.ask("GET", f"/api/turns/{turn_id}")
        status = answer.json["turn"]["status"] if answer.status == 200 else f"{answer.status}"
        if status not in ("running", "completed"):
            self._fail(f"after the start a turn is not taken up again, but {status}")

    async def _again(self, asked: Asked) -> Any:
        wire = await Wire.open(self.installation.port)
        try:
            async with asyncio.timeout(20):
                answer = await wire.ask("POST", "/api/sessions", asked.body, Idempotency_Key=asked.prompt)
        except (TimeoutError, *BROKEN):
            return None
        finally:
            wire.cut()
        return answer.json if answer.status == 200 else {"turn_id": asked.turn_id, "status": answer.status}

    def _judge_calls(self) -> None:
        counts = self._counts()
        for pair, count in self.done.items():
            if counts[pair] != count:
                self._fail(
                    f"{pair[1]} was asked {counts[pair] - count} times again after its reply was stored whole"
                )
        for pair, count in self.cut.items():
            if counts[pair] == count:
                self._fail(
                    f"{pair[1]} was not asked anew in a battle that a kill cut off: that tells its side"
                )
        self.tally.note("again", sum(count - 1 for count in counts.values()))

    def _judge(self, record: "Record") -> None:
        """Compare a record with what the upstream sent and what clients received."""
        for wrong in record.wrong:
            self._fail(wrong)
        for reply in record.replies:
            whole = WHOLE[reply.model]
            if not whole.startswith(reply.text):
                self._fail(f"stored what {reply.model} never said: {reply.text[-40:]!r}")
            if reply.status == "completed" and reply.text != whole:
                self._fail(f"complete after {len(reply.text)} of {len(whole)} characters")
            rows = record.paid[reply.id, reply.attempt]
            if reply.status == "completed" and rows != [(7, len(TEXTS[reply.model]))]:
                self._fail(f"a finished reply is recorded as {rows}")
        complete = {reply.id for reply in record.replies if reply.status == "completed"}
        for asked in self.asked:
            self._judge_asked(asked, record, complete)

    def _judge_asked(self, asked: Asked, record: "Record", complete: set[str]) -> None:
        """Compare one turn's record with what its client received."""
        turn = record.turns.get(asked.prompt)
        if turn is None:
            if asked.turn_id is not None:
                self._fail("a turn that was told of is not there")
            return
        if asked.reader.end == "turn.completed" and turn.status != "completed":
            self._fail(f"told as completed, stored as {turn.status}")
        if lost := asked.completed - complete:
            self._fail(f"{len(lost)} replies were told as completed and are not stored so")
        for text in asked.reader.texts().values():
            if not any(whole.startswith(text) for whole in WHOLE.values()):
                self._fail(f"told what nobody said: {text[-40:]!r}")

    def _counts(self) -> Counter[tuple[str, str]]:
        return Counter(
            (request.json["messages"][-1]["content"], str(request.model)) for request in self.upstream.chats
        )

    def _fail(self, words: str) -> None:
        self.tally.failures.append(words)


@dataclass
class StoredReply:
    id: str
    prompt: str
    model: str
    attempt: int
    status: str
    text: str


@dataclass
class StoredTurn:
    status: str
    ends: int


@dataclass
class Record:
    """The content of a database, and its inconsistencies."""

    turns: dict[str, StoredTurn]
    replies: list[StoredReply]
    paid: "Paid"
    wrong: list[str]


class Paid(dict[tuple[str, int], list[tuple[int, int]]]):
    """Tokens (input, output) by reply and attempt."""

    def __missing__(self, key: tuple[str, int]) -> list[tuple[int, int]]:
        return []


def _read_copy(path: Path, copy: Path) -> Record:
    """Read a copy of what a killed server left, so that the next one recovers the original."""
    for end in ("", "-wal"):
        Path(f"{copy}{end}").unlink(missing_ok=True)
        if (source := Path(f"{path}{end}")).exists():
            shutil.copy(source, f"{copy}{end}")
    return _read(copy)


def _read(path: Path) -> Record:
    with closing(sqlite3.connect(path)) as database:
        wrong = [] if database.execute("pragma integrity_check").fetchall() == [("ok",)] else ["integrity"]
        ends = Counter(
            row[0]
            for row in database.execute(
                "select turn_id from turn_events where kind in ('turn.completed', 'turn.failed', 'turn.stopped')"
            )
        )
        prompts: dict[str, str] = {}
        turns: dict[str, StoredTurn] = {}
        for turn_id, asked, status in database.execute("select id, input, status from turns"):
            prompt = prompts[turn_id] = msgspec.json.decode(asked)["text"]
            if prompt in turns:
                wrong.append("one key made two turns")
            turns[prompt] = StoredTurn(status, ends[turn_id])
            if ends[turn_id] != (status != "running"):
                wrong.append(f"a turn is {status} and has {ends[turn_id]} ends")
        replies = [
            StoredReply(row[0], prompts[row[1]], *row[2:])
            for row in database.execute("select id, turn_id, model_id, attempt, status, text from replies")
        ]
        paid = Paid()
        for reply_id, attempt, *tokens in database.execute(
            "select reply_id, attempt, input_tokens, output_tokens from calls "
            "where reply_id is not null and input_tokens + output_tokens > 0"
        ):
            paid.setdefault((reply_id, attempt), []).append(tuple(tokens))
    wrong += [f"one attempt was paid for {len(rows)} times" for rows in paid.values() if len(rows) > 1]
    return Record(turns, replies, paid, wrong)


CAMPAIGNS: list[Campaign] = [KillTurns()]
