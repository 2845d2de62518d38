"""Asks for what a search wants to know: the score of a text on a row, and a reflecting model's better text."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from parley.engine.jobs import Steps
from parley.engine.recorder import Recorder
from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.checks_of_answer import check_sha256, label_of
from parley.features.lab.improve.live import LiveSearch
from parley.features.lab.improve.loading import Search
from parley.features.lab.improve.repository import ImprovementsRepository, store_reflection
from parley.features.lab.improve.rows import OpenRow, Scored, SealedRow, Texts
from parley.features.lab.improve.texts import body_with
from parley.features.lab.prompts.body import digest_of
from parley.features.lab.runs.plan import (
    Cell,
    PlannedRow,
    PlannedVersion,
    bound_micros,
    options_of,
    trial_key,
)
from parley.features.lab.runs.report import grade
from parley.features.lab.runs.repository import RunsRepository, add_spent
from parley.features.lab.runs.trials import Trials, step_sometimes, storable
from parley.features.lab.tables import ImprovementRow, ReflectionRow, ScoreRow, TrialRow
from parley.kernel.errors import OverBudget, ParleyError, Unavailable
from parley.kernel.messages import Message
from parley.kernel.options import AskOptions
from parley.kernel.ports import Beside
from parley.storage.database import Database

T = TypeVar("T")

REFLECT_PURPOSE = "lab_reflect"
REFLECT_TOKENS = 8192
MOST_FAILURES = 5
"""Failed answers in a row that end a search: it would learn from a provider's outage."""


class Asking:
    """The questions of one search. What is recorded is not asked again; no more begin once it is paused."""

    def __init__(
        self,
        row: ImprovementRow,
        search: Search,
        checks: Sequence[CheckSpec],
        live: LiveSearch,
        answered: int,
        step: Steps,
        database: Database,
        recorder: Recorder,
        calls: LabCalls,
        trials: Trials,
    ) -> None:
        self._row, self._search, self._checks, self._live = row, search, checks, live
        self._digests = [check_sha256(check) for check in checks]
        self._left = live.cells - answered
        self._step = step
        self._database, self._recorder, self._calls, self._trials = database, recorder, calls, trials
        self._slots = asyncio.Semaphore(search.plan.parallel)
        self._failures = 0
        self._reflected: Counter[str] = Counter()

    async def idle(self) -> None:
        """Wait until no question is in flight; no other one begins after that."""
        for _ in range(self._search.plan.parallel):
            await self._slots.acquire()

    async def evaluate(self, texts: Texts, row: OpenRow | SealedRow) -> Scored:
        """Return the score of the answer to a row. Raises OverBudget at the cap, ParleyError in an outage."""
        cell = self._cell(texts, row)
        scored = await self._in_turn(lambda: self._score(cell))
        self._live.measured += isinstance(row, SealedRow)
        return scored

    async def reflect(self, prompt: str) -> str:
        """Return what the reflecting model writes. Raises ParleyError if it does not answer."""
        again = self._reflected[prompt]
        self._reflected[prompt] += 1
        key = digest_of([self._row.id, self._search.plan.reflector, prompt, again])
        return await self._in_turn(lambda: self._reflect(key, prompt))

    async def _in_turn(self, work: Callable[[], Awaitable[T]]) -> T:
        async with self._slots:
            if not self._live.pausing.is_set():
                return await work()
        return await asyncio.Future[T]()  # paused: cancelled once what is in flight has ended

    def _cell(self, texts: Texts, row: OpenRow | SealedRow) -> Cell:
        body, model_id = body_with(self._search.body, texts), self._search.plan.model
        version = PlannedVersion(0, body.sha256, body)
        planned = PlannedRow(0, row.id, dict(row.values), row.expected)
        key = trial_key(self._row.owner_id, version.sha256, row.id, model_id, 1, options_of(body))
        return Cell(key, planned, version, model_id, 1)

    async def _score(self, cell: Cell) -> Scored:
        recorded = await self._recorded(cell)
        if recorded is not None and recorded.status == "completed":
            trial, text = recorded, await self._trials.text_of(recorded)
            self._live.reuse()
        else:
            self._refuse_more()
            trial, text = await self._trials.ask(self._row, cell, recorded, self._live)
            self._note_failure(trial)
        verdicts = await self._trials.check(self._row, cell, trial, text, self._checks, self._live)
        await step_sometimes(self._step, self._live, cell)
        graded = grade(cell, trial, verdicts, self._checks, self._digests, "fail")
        return Scored(score=graded.score or 0.0, output=text, feedback=self._feedback(trial, verdicts))

    async def _recorded(self, cell: Cell) -> TrialRow | None:
        trials = await self._database.read(
            lambda transaction: RunsRepository(transaction).trials(self._row.owner_id, [cell.key])
        )
        return trials.get(cell.key)

    def _refuse_more(self) -> None:
        """Raise OverBudget once the whole budget is paid for: a resumed search may go other ways after failures."""
        if self._left <= 0:
            raise OverBudget("All answers of the budget are used.", "Start another search to go on.")
        self._left -= 1

    def _note_failure(self, trial: TrialRow) -> None:
        if trial.status == "completed":
            self._failures = 0
            return
        self._left += 1
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            error = trial.error or {}
            raise Unavailable(
                f"{MOST_FAILURES} answers in a row failed: {error.get('title', 'no answer')}",
                "All answers so far are saved. Resume the search once the model answers again.",
                code="prompt_failed",
            )

    def _feedback(self, trial: TrialRow, verdicts: Mapping[str, ScoreRow]) -> str:
        """Return what the reflecting model reads of an answer: the checks that it did not pass, with their reasons."""
        if trial.status != "completed":
            return "The model did not answer."
        lines: list[str] = []
        for check, digest in zip(self._checks, self._digests, strict=True):
            verdict = verdicts.get(digest)
            if verdict is not None and verdict.passed is False:
                lines.append(f"Not passed: {label_of(check)}. {verdict.reason}".strip())
        return "\n".join(lines)

    async def _reflect(self, key: str, prompt: str) -> str:
        stored = await self._database.read(
            lambda transaction: ImprovementsRepository(transaction).reflection(key)
        )
        if stored is not None:
            return stored.text
        model = self._calls.model(self._search.plan.reflector, "reflector")
        messages, options = (Message("user", prompt),), AskOptions(max_output_tokens=REFLECT_TOKENS)
        bound = bound_micros(model, messages, options)
        await self._live.allowance.hold(bound)
        spent, self._live.running = 0, self._live.running + 1
        try:
            spoken = await self._calls.ask(
                *(self._row.owner_id, model.id, messages, options),
                author_id=self._row.author_id,
                purpose=REFLECT_PURPOSE,
            )
            spent = spoken.result.metrics.cost_micros or 0
            await self._store(key, storable(spoken.text), spent, spoken.error)
        finally:
            self._live.running -= 1
            self._live.allowance.settle(bound, spent)
        if spoken.error is not None:
            raise spoken.error
        return storable(spoken.text)

    async def _store(self, key: str, text: str, spent: int, error: ParleyError | None) -> None:
        row = ReflectionRow(
            key=key,
            owner_id=self._row.owner_id,
            improvement_id=self._row.id,
            text=text,
            cost_micros=spent,
        )
        entries = [] if error else [Beside(lambda transaction: store_reflection(transaction, row))]
        await self._recorder.send(
            *entries,
            Beside(lambda transaction: add_spent(transaction, ImprovementRow, self._row.id, spent)),
        )
