"""Kill -9 in the middle of a run of the Prompt Lab: what is recorded is never asked again, and nothing is lost."""

import asyncio
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import asyncpg
import msgspec

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Fork, Installation, an_installation
from prove.server_database import a_server_database
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

ROWS, PARALLEL = 40, 4
LATER_S = 0.03
"""How long after a question a kill may come."""

WITHIN_S = 60.0
"""The latest end of a run after a kill: a dead process's lease ends after 15 s, and a heartbeat takes 3 s."""

PATIENCE = 4
"""How often a start is waited for: on a busy machine the first one, which makes the tables, takes its time."""

GIVEN_UP_S = 30.0
"""How long a control waits for an end that does not come."""

PIECES = ("All ", "is ", "well.")
PAUSE_S = 0.03
WHOLE = "".join(PIECES)

TRIALS = """SELECT r.fields, o.text FROM lab_trials t
    JOIN lab_rows r ON r.sha256 = t.row_sha256
    JOIN lab_outputs o ON o.owner_id = t.owner_id AND o.sha256 = t.output_sha256
    JOIN calls c ON c.call_id = t.call_id AND c.outcome = 'completed'
    WHERE t.status = 'completed'"""
CALLS = "SELECT count(*) FROM calls WHERE purpose = 'lab' AND outcome = 'completed'"


class Record(NamedTuple):
    """The questions of recorded answers that have the row of their call, the rows, and wrong texts."""

    questions: Counter[str]
    calls: int
    wrong: int

    @classmethod
    def of(cls, rows: Iterable[tuple[str | bytes, str]], calls: int) -> "Record":
        """Return the record of a database's rows."""
        found = [(msgspec.json.decode(fields)["text"], text) for fields, text in rows]
        questions = Counter(_question(text) for text, _ in found)
        return cls(questions, calls, sum(text != WHOLE for _, text in found))


class Store(Protocol):
    """A database with the servers that use it."""

    @property
    def servers(self) -> int:
        """How many servers use it."""
        ...

    @property
    def variables(self) -> dict[str, str]:
        """The settings of each."""
        ...

    @property
    def planted(self) -> str | None:
        """What is planted in each, so that they can share it."""
        ...

    async def record(self, installation: Installation) -> Record:
        """Return what is recorded now."""
        ...


class OnSqlite:
    """One server on a file, which starts again after the kill."""

    servers = 1
    planted = None

    def __init__(self) -> None:
        self.variables: dict[str, str] = {}

    async def record(self, installation: Installation) -> Record:
        """Read a copy, so that the next server recovers the original."""
        copy = installation.folder / "copy.db"
        for end in ("", "-wal"):
            Path(f"{copy}{end}").unlink(missing_ok=True)  # noqa: ASYNC240
            if (source := Path(f"{installation.database}{end}")).exists():
                shutil.copy(source, f"{copy}{end}")
        with closing(sqlite3.connect(copy)) as database:
            return Record.of(database.execute(TRIALS).fetchall(), database.execute(CALLS).fetchone()[0])


class OnServer:
    """Three servers on one database, two of which live on."""

    servers = 3
    planted = "beside-others"

    def __init__(self, database: asyncpg.Connection, url: str) -> None:
        self._database = database
        self.variables = {"PARLEY_DATABASE_URL": url, "PARLEY_SECRET_KEY": "A" * 43 + "="}

    async def record(self, installation: Installation) -> Record:
        """Read trials and calls."""
        del installation
        rows = [(row["fields"], row["text"]) for row in await self._database.fetch(TRIALS)]
        return Record.of(rows, await self._database.fetchval(CALLS) or 0)


@asynccontextmanager
async def _on_sqlite() -> AsyncGenerator[Store]:
    yield OnSqlite()


@asynccontextmanager
async def _on_server() -> AsyncGenerator[Store]:
    async with a_server_database() as place:
        yield OnServer(*place)


class KillRuns:
    def __init__(
        self,
        name: str,
        guarantee: str,
        trials: int,
        control: str,
        opened: Callable[[], AbstractAsyncContextManager[Store]],
    ) -> None:
        self.name = name
        self.guarantee = guarantee
        self.trials = trials
        self.batch = 1
        self.sample = 1
        self._control = control
        self._opened = opened

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(self._attack(batch, None, WITHIN_S))

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=1)
        return asyncio.run(self._attack(few, self._control, GIVEN_UP_S))

    async def _attack(self, batch: Batch, planted: str | None, within: float) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            async with self._opened() as store, ScriptedUpstream() as upstream:
                upstream.reply(*PIECES, delay=PAUSE_S, model="ada")
                folder = batch.folder / str(trial)
                with ExitStack() as stack:
                    installations = [
                        stack.enter_context(an_installation(folder / str(number), upstream.url, ("ada",)))
                        for number in range(store.servers)
                    ]
                    attack = _Attack(store, upstream, installations, tally)
                    chance = batch.chance(trial)
                    later = chance.uniform(0, LATER_S)
                    await attack.kill_once(chance.randint(1, ROWS - 1), later, planted, within)
            tally.trials += 1
            batch.step()
        return tally

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        if not figures.get("took"):
            return ""
        return (
            f"{int(sum(figures['recorded'])):,} answers were recorded at the kills and {int(sum(figures['again'])):,} "
            f"calls in flight were made again; complete {share(figures['took'], 0.5):.1f} s after the kill (median), "
            f"{max(figures['took']):.1f} s at most"
        )


class _Attack:
    def __init__(
        self, store: Store, upstream: ScriptedUpstream, installations: Sequence[Installation], tally: Tally
    ) -> None:
        self.store = store
        self.upstream = upstream
        self.installations = installations
        self.tally = tally

    async def kill_once(self, after: int, later: float, planted: str | None, within: float) -> None:
        """Kill the server that runs a run after so many questions; judge what is recorded at its end."""
        alone = len(self.installations) == 1
        servers = [await self._start(it, None if alone else planted) for it in self.installations]
        run_id = await _begin(servers[0].port)
        await self.upstream.wait_for_requests(1)
        at = 0 if alone else await self._runner(servers, run_id)
        await self.upstream.wait_for_requests(after)
        await asyncio.sleep(later)
        servers[at].kill()
        await self.upstream.wait_until_idle(5)
        before, counts = await self.store.record(self.installations[at]), self._counts()
        begun = asyncio.get_running_loop().time()
        if alone:
            servers[at] = await self._start(self.installations[at], planted)
        other = servers[(at + 1) % len(servers)]
        progress = await _ended(other.port, run_id, within)
        if progress is None:
            self._fail(
                f"a run of which {before.questions.total()} of {ROWS} answers were recorded did not end"
            )
            return
        self.tally.note("took", asyncio.get_running_loop().time() - begun)
        self._judge(before, counts, await self.store.record(self.installations[at]), progress)

    async def _start(self, installation: Installation, planted: str | None) -> Fork:
        plants = ",".join(filter(None, (self.store.planted, planted)))
        server = installation.start(plants or None, **self.store.variables)
        for _ in range(PATIENCE):
            try:
                return await server.ready()
            except RuntimeError:
                if server.poll() is not None:
                    raise
        return await server.ready()

    async def _runner(self, servers: Sequence[Fork], run_id: str) -> int:
        """Return the place of the server that carries out a run."""
        for place, server in enumerate(servers):
            view = await _ask(server.port, "GET", f"/api/lab/runs/{run_id}")
            if view["progress"]["rate"] is not None or view["progress"]["running"]:
                return place
        return 0

    def _judge(self, before: Record, counts: Counter[str], after: Record, progress: dict[str, Any]) -> None:
        final = self._counts()
        again = [question for question in counts if final[question] != counts[question]]
        self.tally.note("recorded", before.questions.total())
        self.tally.note("again", len(again))
        if paid := [question for question in again if question in before.questions]:
            self._fail(f"{len(paid)} answers were recorded and asked for again")
        if lost := before.questions - after.questions:
            self._fail(f"{lost.total()} recorded answers are gone")
        if after.questions != Counter(_question(f"Row {row}") for row in range(ROWS)):
            self._fail(f"{after.questions.total()} answers of {ROWS} are recorded")
        if after.wrong:
            self._fail(f"{after.wrong} answers are recorded in another wording")
        if after.calls != ROWS:
            self._fail(f"{after.calls} complete calls are recorded for {ROWS} answers")
        if (progress["completed"], progress["failed"]) != (ROWS, 0):
            self._fail(f"the run ended with {progress}")

    def _counts(self) -> Counter[str]:
        return Counter(str(request.json["messages"][-1]["content"]) for request in self.upstream.chats)

    def _fail(self, words: str) -> None:
        self.tally.failures.append(words)


def _question(text: str) -> str:
    return f"Sum up: {text}"


async def _ask(port: int, method: str, path: str, body: Any = None) -> Any:
    with await Wire.open(port) as wire:
        answer = await wire.ask(method, path, body)
    if answer.status >= 400:
        raise RuntimeError(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
    return answer.json


async def _begin(port: int) -> str:
    """Start a run and return its id."""
    checks = [{"kind": "contains", "values": ["well"]}]
    prompt = {"name": "Sums", "messages": [{"role": "user", "text": _question("{{text}}")}], "checks": checks}
    prompt_id = (await _ask(port, "POST", "/api/prompts", prompt))["prompt"]["id"]
    rows = [{"fields": {"text": f"Row {row}"}} for row in range(ROWS)]
    dataset = await _ask(port, "POST", "/api/lab/datasets", {"name": "Rows", "rows": rows})
    plan = {"versions": [1], "models": ["ada"], "dataset": dataset["dataset"]["id"], "parallel": PARALLEL}
    return str((await _ask(port, "POST", f"/api/prompts/{prompt_id}/runs", plan))["id"])


async def _ended(port: int, run_id: str, within: float) -> dict[str, Any] | None:
    """Return the counts of a run that has ended; None if it does not end in time."""
    deadline = asyncio.get_running_loop().time() + within
    while asyncio.get_running_loop().time() < deadline:
        try:
            view = await _ask(port, "GET", f"/api/lab/runs/{run_id}")
        except BROKEN:
            view = None
        if view is not None and view["status"] != "running":
            return dict(view["progress"])
        await asyncio.sleep(0.1)
    return None


CAMPAIGNS: list[Campaign] = [
    KillRuns(
        "kill-runs",
        "Kill -9 at a random point of a run of the Prompt Lab: after the next start it is complete, no recorded answer "
        "is asked for again, and none is lost (SQLite).",
        20,
        "forget-trials",
        _on_sqlite,
    ),
    KillRuns(
        "kill-runs-server",
        "Three processes share the jobs of one PostgreSQL database: kill -9 of the one that carries out a run, and "
        "another completes it by its heartbeat; no recorded answer is asked for again, and none is lost.",
        5,
        "leave-dead-jobs",
        _on_server,
    ),
]
