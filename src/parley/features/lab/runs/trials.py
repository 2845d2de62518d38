"""Trials: one answer to one row, asked for, stored with its call's row, and checked."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec

from parley.engine.accounting import CallResult
from parley.engine.jobs import Steps
from parley.engine.recorder import Recorder
from parley.features.lab.calling import LabCalls, Spoken
from parley.features.lab.checks.checking import apply
from parley.features.lab.checks.contract import CheckedAnswer, CheckSpec, ToolCall, Verdict
from parley.features.lab.checks_of_answer import JudgeCalls, check_sha256
from parley.features.lab.runs.in_library import made_text
from parley.features.lab.runs.live import LiveRun
from parley.features.lab.runs.plan import Cell, bound_micros, options_of
from parley.features.lab.runs.repository import RunsRepository, add_spent, store_scores, store_trial
from parley.features.lab.tables import ImprovementRow, RunRow, ScoreRow, TrialRow
from parley.features.library.service import LibraryService
from parley.kernel.errors import Invalid, OverBudget
from parley.kernel.messages import Message, mend_surrogates, sha256_text, text_of
from parley.kernel.ports import Beside, Clock
from parley.storage.database import Database

STEP_EVERY = 25
"""Trials between two steps of a job: a step tells that a job which was killed had not crashed by itself."""

Payer: TypeAlias = RunRow | ImprovementRow
"""The experiment that pays for a trial."""


class Trials:
    """Asks for trials at the cost of an experiment, within its allowance."""

    def __init__(
        self, database: Database, clock: Clock, recorder: Recorder, calls: LabCalls, library: LibraryService
    ) -> None:
        self._database = database
        self._library = library
        self._clock = clock
        self._recorder = recorder
        self._calls = calls

    async def ask(
        self, payer: Payer, cell: Cell, recorded: TrialRow | None, live: LiveRun
    ) -> tuple[TrialRow, str]:
        """Ask a model, and store the trial together with the call's row. Raises OverBudget."""
        attempt = recorded.attempt + 1 if recorded else 1
        try:
            model = self._calls.model(cell.model_id)
            messages = cell.version.body.fill(cell.row.fields)
        except Invalid as error:
            return await self._store_unsent(payer, cell, error, attempt, live)
        options = options_of(cell.version.body)
        bound = bound_micros(model, messages, options)
        await live.allowance.hold(bound)
        spent, live.running = 0, live.running + 1
        try:
            spoken = await self._calls.ask(
                *(payer.owner_id, model.id, messages, options), author_id=payer.author_id, attempt=attempt
            )
            spent = spoken.result.metrics.cost_micros or 0
            trial = self._trial(payer, cell, spoken, attempt)
            text = storable(spoken.text)
            await self._store(payer, trial, text, spent, cell)
        finally:
            live.running -= 1
            live.allowance.settle(bound, spent)
        live.count(completed=trial.status == "completed")
        if spoken.error is not None and isinstance(spoken.error, OverBudget):
            raise spoken.error
        return trial, text

    async def check(
        self, payer: Payer, cell: Cell, trial: TrialRow, text: str, checks: Sequence[CheckSpec], live: LiveRun
    ) -> Mapping[str, ScoreRow]:
        """Return an answer's verdicts by check; those that it lacks are made and stored.

        An open one is tried again the next time. Raises OverBudget if a judge could pass the cap.
        """
        if trial.status != "completed" or not checks:
            return {}
        known = await self._database.read(
            lambda transaction: RunsRepository(transaction).scores([trial.key]).get(trial.key, {})
        )
        answer = answer_of(cell, trial, text)
        judge = JudgeCalls(self._calls, payer.owner_id, payer.author_id, live.allowance)
        rows: list[ScoreRow] = []
        try:
            for check in checks:
                sha256 = check_sha256(check)
                if sha256 not in known:
                    verdict = await apply(check, answer, judge)
                    rows += [_score(trial, sha256, verdict)] if verdict.passed is not None else []
        finally:
            if rows or judge.cost_micros:
                cost = judge.cost_micros
                await self._recorder.send(
                    Beside(lambda transaction: store_scores(transaction, rows)),
                    Beside(lambda transaction: add_spent(transaction, type(payer), payer.id, cost)),
                )
        if judge.capped is not None:
            raise judge.capped
        return known | {row.check_sha256: row for row in rows}

    async def text_of(self, trial: TrialRow) -> str:
        """Return the text of a recorded answer."""
        digest = trial.output_sha256 or ""
        texts = await self._database.read(
            lambda transaction: RunsRepository(transaction).outputs(trial.owner_id, [digest])
        )
        return texts.get(digest, "")

    async def _store_unsent(
        self, payer: Payer, cell: Cell, error: Invalid, attempt: int, live: LiveRun
    ) -> tuple[TrialRow, str]:
        """Store a trial that could not be asked: its model is gone."""
        trial = self._trial(payer, cell, Spoken(result=CallResult(), error=error), attempt)
        await self._store(payer, trial, "", 0, cell)
        live.count(completed=False)
        return trial, ""

    async def _store(self, payer: Payer, trial: TrialRow, text: str, spent: int, cell: Cell) -> None:
        # In the same transaction as the row of the call: nothing waits between them.
        entries = [
            Beside(lambda transaction: store_trial(transaction, trial, text)),
            Beside(lambda transaction: add_spent(transaction, type(payer), payer.id, spent)),
        ]
        if trial.status == "completed" and isinstance(payer, RunRow):
            made = made_text(trial, cell, text)
            entries.append(Beside(lambda transaction: self._library.collect(transaction, made)))
        await self._recorder.send(*entries)

    def _trial(self, payer: Payer, cell: Cell, spoken: Spoken, attempt: int) -> TrialRow:
        metrics = spoken.result.metrics
        problem = spoken.error.problem if spoken.error is not None else None
        return TrialRow(
            key=cell.key,
            owner_id=payer.owner_id,
            run_id=payer.id,
            version_sha256=cell.version.sha256,
            row_sha256=cell.row.sha256,
            model_id=cell.model_id,
            repeat=cell.repeat,
            attempt=attempt,
            status="completed" if problem is None else "failed",
            call_id=spoken.result.call_id,
            output_sha256=sha256_text(storable(spoken.text)),
            finish_reason=spoken.finish_reason,
            latency_ms=metrics.duration_ms,
            input_tokens=metrics.input_tokens,
            output_tokens=metrics.output_tokens,
            cost_micros=metrics.cost_micros,
            tool_calls=msgspec.to_builtins(spoken.tool_calls) or None,
            error=None if problem is None else msgspec.to_builtins(problem),
            created_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )


async def step_sometimes(step: Steps, live: LiveRun, cell: Cell) -> None:
    """Store a step of the job after the first trial, and after some more."""
    ended = live.asked
    if ended == 1 or ended % STEP_EVERY == 0:
        await step(f"{ended}-{cell.key[:16]}", lambda: _as_result(ended))


def answer_of(cell: Cell, trial: TrialRow, text: str) -> CheckedAnswer:
    """Return a trial's answer with all that checks look at."""
    messages: tuple[Message, ...] = cell.version.body.fill(cell.row.fields)
    return CheckedAnswer(
        text=text,
        prompt="\n\n".join(text_of(message) for message in messages),
        tool_calls=msgspec.convert(trial.tool_calls or [], tuple[ToolCall, ...]),
        values=cell.row.fields,
        expected=cell.row.expected,
        latency_ms=trial.latency_ms,
        cost_micros=trial.cost_micros,
    )


def storable(text: str) -> str:
    """Return a text that every database takes."""
    return mend_surrogates(text).replace("\x00", "\ufffd")


def _score(trial: TrialRow, sha256: str, verdict: Verdict) -> ScoreRow:
    return ScoreRow(
        trial_key=trial.key,
        check_sha256=sha256,
        passed=verdict.passed,
        score=verdict.score,
        reason=storable(verdict.reason)[:1000],
        by="check",
    )


async def _as_result(count: int) -> object:
    return count
