"""Quotes of searches: the most calls, money with a range, and time, before anything is asked."""

from typing import NamedTuple

from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.improve.asking import REFLECT_TOKENS
from parley.features.lab.improve.loading import Search
from parley.features.lab.improve.schemas import ImprovementQuote
from parley.features.lab.improve.searching import MINIBATCH, PROMPT, least_answers
from parley.features.lab.improve.texts import texts_of
from parley.features.lab.runs.plan import Cell, PlannedRow, PlannedVersion
from parley.features.lab.runs.quoting import (
    SHORT_ANSWER,
    USUAL_ANSWER,
    USUAL_SECONDS,
    Estimate,
    estimate_cells,
    judge_calls,
    judge_micros,
)
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.schemas import MICROS
from parley.kernel.models import Model
from parley.storage.database import Transaction

CHARS_PER_TOKEN = 4


class _Counts(NamedTuple):
    answers: int
    holdout: int
    reflections: int

    @property
    def asked(self) -> int:
        return self.answers + self.holdout


def quote_search(
    transaction: Transaction, calls: LabCalls, owner_id: str, search: Search, checks: list[CheckSpec]
) -> ImprovementQuote:
    """Return the quote of a search that uses its whole budget. Raises Invalid for a model that can't be asked."""
    plan, rows = search.plan, search.rows
    model, reflector = calls.model(plan.model), calls.model(plan.reflector, "reflector")
    counts = _counts(search)
    answers = _answers(transaction, owner_id, search, model)
    each = len(rows.training) + len(rows.validation) + len(rows.holdout)
    least, most = _reflection_micros(search, reflector)
    judging = sum(judge_micros(calls, checks)) * counts.asked
    judged = judge_calls(checks) * counts.asked
    return ImprovementQuote(
        training=len(rows.training),
        validation=len(rows.validation),
        holdout=len(rows.holdout),
        answers=counts.answers,
        least_answers=least_answers(len(rows.training), len(rows.validation)),
        holdout_answers=counts.holdout,
        reflections=counts.reflections,
        judge_calls=judged,
        calls=counts.asked + counts.reflections + judged,
        cost_usd_least=(
            answers.least / each * counts.answers + judging * 0.3 + least * counts.reflections / 2
        )
        / MICROS,
        cost_usd_most=(answers.most / each * counts.asked + judging + most * counts.reflections) / MICROS,
        seconds=_seconds(search, counts, model, answers.seconds),
        unpriced=tuple(it.id for it in {model.id: model, reflector.id: reflector}.values() if not it.prices),
    )


def _counts(search: Search) -> _Counts:
    """Return the answers, and an attempt for each pair of samples that the budget allows after the first prompt."""
    sample = min(MINIBATCH, len(search.rows.training))
    attempts = (search.plan.answers - len(search.rows.validation)) // sample
    return _Counts(search.plan.answers, 2 * len(search.rows.holdout), attempts)


def _answers(transaction: Transaction, owner_id: str, search: Search, model: Model) -> Estimate:
    """Return the estimate of one answer to each row with the first prompt."""
    body = search.body.with_all_variables()
    version = PlannedVersion(search.plan.version, body.sha256, body)
    cells = [
        Cell("", PlannedRow(0, row.id, dict(row.values), row.expected), version, model.id, 1)
        for row in (*search.rows.training, *search.rows.validation, *search.rows.holdout)
    ]
    repository = RunsRepository(transaction)
    measured = {version.sha256: repository.measured(owner_id, version.sha256, model.id)}
    return estimate_cells(model, cells, measured, repository.usual_latency_ms(owner_id, model.id))


def _reflection_micros(search: Search, reflector: Model) -> tuple[float, float]:
    """Return the range of what one reflection costs: it reads a text and a sample of rows with their answers."""
    prices = reflector.prices
    if prices is None:
        return 0.0, 0.0
    texts = texts_of(search.body).values()
    rows = search.rows.training
    row_chars = sum(len(str(row.values)) + len(row.expected or "") for row in rows) / len(rows)
    text_tokens = max(map(len, texts)) // CHARS_PER_TOKEN
    read = len(PROMPT) // CHARS_PER_TOKEN + text_tokens
    read += round(MINIBATCH * row_chars / CHARS_PER_TOKEN)
    least = prices.cost_micros(read + MINIBATCH * SHORT_ANSWER, text_tokens + SHORT_ANSWER)
    longest = min(REFLECT_TOKENS, text_tokens + 2 * USUAL_ANSWER)
    return least, prices.cost_micros(read + MINIBATCH * USUAL_ANSWER, longest)


def _seconds(search: Search, counts: _Counts, model: Model, seconds: float) -> float:
    """Return the time: attempts are made one after another, the rows of a measurement at the same time."""
    parallel = min(search.plan.parallel, model.max_concurrency or search.plan.parallel)
    sample = min(MINIBATCH, len(search.rows.training))
    in_turn = counts.answers / min(parallel, sample) + counts.holdout / parallel
    return in_turn * seconds + counts.reflections / 2 * USUAL_SECONDS
