"""Quotes of runs: calls, money with a range, and time, before anything is asked."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.contract import CheckSpec, JudgePair
from parley.features.lab.checks_of_answer import JUDGE_TOKENS, is_judge
from parley.features.lab.runs.plan import Cell, Experiment, bound_micros, options_of
from parley.features.lab.runs.repository import Measured, RunsRepository
from parley.features.lab.runs.schemas import MICROS, QuotedModel, RunQuote
from parley.kernel.messages import text_of
from parley.kernel.models import Model

SHORT_ANSWER, USUAL_ANSWER = 60, 500
"""The tokens of answers where none is measured: the range of a quote."""

USUAL_SECONDS = 6.0
ENOUGH = 3
"""Recorded answers from which a mean is used."""


class Estimate(NamedTuple):
    """The costs of calls in micro-dollars as a range, with what they can't exceed, and the seconds of one."""

    least: float
    most: float
    bound: float
    seconds: float
    measured: int


def quote_run(
    repository: RunsRepository,
    calls: LabCalls,
    owner_id: str,
    experiment: Experiment,
    checks: Sequence[CheckSpec],
) -> RunQuote:
    """Return the quote of what is missing. Raises Invalid for a model that can't be asked."""
    cells = list(experiment.cells(owner_id))
    states = repository.states(owner_id, [cell.key for cell in cells])
    missing = [cell for cell in cells if states.get(cell.key) != "completed"]
    models = {model_id: calls.model(model_id, "models") for model_id in experiment.plan.models}
    quoted = [
        _quote_model(repository, owner_id, experiment, models[model_id], missing)
        for model_id in experiment.plan.models
    ]
    judges = judge_calls(checks) * len(missing)
    judging = sum(judge_micros(calls, checks)) * len(missing)
    return RunQuote(
        rows=len(experiment.rows),
        cells=len(cells),
        recorded=len(cells) - len(missing),
        calls=len(missing),
        judge_calls=judges,
        cost_usd_least=(sum(each.least for _, each in quoted) + judging * 0.3) / MICROS,
        cost_usd_most=(sum(each.most for _, each in quoted) + judging) / MICROS,
        bound_usd=(sum(each.bound for _, each in quoted) + judging) / MICROS,
        seconds=_seconds(experiment, models, quoted),
        unpriced=tuple(model.id for model in models.values() if model.prices is None),
        models=tuple(view for view, _ in quoted),
    )


def _quote_model(
    repository: RunsRepository, owner_id: str, experiment: Experiment, model: Model, missing: Sequence[Cell]
) -> tuple[QuotedModel, Estimate]:
    own = [cell for cell in missing if cell.model_id == model.id]
    measured = {
        version.sha256: repository.measured(owner_id, version.sha256, model.id)
        for version in experiment.versions
    }
    answers = sum(each.answers for each in measured.values())
    usual = repository.usual_latency_ms(owner_id, model.id)
    estimate = estimate_cells(model, own, measured, usual)
    in_all = len(experiment.rows) * len(experiment.versions) * experiment.plan.repeats
    priced = model.prices is not None
    view = QuotedModel(
        model=model.id,
        calls=len(own),
        recorded=in_all - len(own),
        cost_usd_least=estimate.least / MICROS if priced else None,
        cost_usd_most=estimate.most / MICROS if priced else None,
        seconds_per_call=estimate.seconds,
        measured=answers,
    )
    return view, estimate


def estimate_cells(
    model: Model, cells: Sequence[Cell], measured: Mapping[str, Measured], usual_ms: float | None
) -> Estimate:
    """Return the range of what cells cost: measured where there are enough answers, else assumed."""
    least = most = bound = variance = 0.0
    prices = model.prices
    for cell in cells:
        messages, options = cell.version.body.fill(cell.row.fields), options_of(cell.version.body)
        bound += bound_micros(model, messages, options)
        if prices is None:
            continue
        tokens = -(-sum(len(text_of(message)) for message in messages) // 4)
        limit = options.max_output_tokens or USUAL_ANSWER
        known = measured[cell.version.sha256]
        if known.answers >= ENOUGH:
            mean = prices.cost_micros(round(known.input_tokens), round(known.output_tokens))
            spread = max(0.0, known.output_square - known.output_tokens**2)
            each = prices.cost_micros(0, 1_000_000) / 1_000_000
            variance += spread * each * each * (1 + len(cells) / known.answers)
            least, most = least + mean, most + mean
        else:
            least += prices.cost_micros(tokens, min(SHORT_ANSWER, limit))
            most += prices.cost_micros(tokens, min(USUAL_ANSWER, limit))
    half = 1.96 * math.sqrt(variance)
    answers = sum(each.answers for each in measured.values())
    weighed = sum(each.latency_ms * each.answers for each in measured.values())
    latency_ms = weighed / answers if answers else usual_ms
    seconds = USUAL_SECONDS if latency_ms is None else latency_ms / 1000
    return Estimate(max(0.0, least - half), min(most + half, bound), bound, seconds, answers)


def _seconds(
    experiment: Experiment, models: Mapping[str, Model], quoted: Sequence[tuple[QuotedModel, Estimate]]
) -> float:
    """Return the time: all calls over all workers, but no faster than the slots of a model allow."""
    in_turn = sum(view.calls * view.seconds_per_call for view, _ in quoted)
    slots = (
        view.calls * view.seconds_per_call / (models[view.model].max_concurrency or experiment.plan.parallel)
        for view, _ in quoted
    )
    return max(in_turn / experiment.plan.parallel, *slots)


def judge_calls(checks: Sequence[CheckSpec]) -> int:
    """Return what the judges of one answer are asked."""
    return sum(2 if isinstance(check, JudgePair) else 1 for check in checks if is_judge(check))


def judge_micros(calls: LabCalls, checks: Sequence[CheckSpec]) -> Iterator[float]:
    """Yield what each check's judge may cost for one answer."""
    for check in checks:
        if is_judge(check):
            model = calls.model(check.model, "checks")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
            times = 2 if isinstance(check, JudgePair) else 1
            yield times * model.prices.cost_micros(1500, JUDGE_TOKENS) if model.prices else 0.0
