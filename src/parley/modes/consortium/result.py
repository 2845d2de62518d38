"""The result of a turn: all rounds, the last synthesis, and the cost beside a single model."""

from collections.abc import Mapping, Sequence

from parley.kernel.mode import Reply, Stage
from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.notes import (
    Iteration,
    Metadata,
    ModelResponse,
    Result,
    SingleMember,
    Synthesis,
    Worth,
)
from parley.modes.consortium.rounds import Round, instances, verdicts

MICROS = 1_000_000


def make_result(stage: Stage, brief: ConsortiumBrief, rounds: Sequence[Round]) -> Result:
    """Return the result of a turn whose rounds all have a verdict."""
    numbers = instances(stage.role("member"))
    iterations = tuple(
        Iteration(
            iteration=past.number,
            model_responses=_responses(past, numbers),
            synthesis=Synthesis.of(past.verdict),
        )
        for past in rounds
        if past.verdict is not None
    )
    last = verdicts(rounds)[-1]
    worth = _worth(rounds)
    warnings = (verdict.warning for verdict in verdicts(rounds) if verdict.warning)
    return Result(
        original_prompt=stage.prompt,
        model_responses=iterations[-1].model_responses,
        synthesis=iterations[-1].synthesis,
        iterations=iterations,
        metadata=Metadata(
            models_used=tuple(_counts(stage)),
            arbiter=stage.role("arbiter")[0].model_id,
            timestamp=stage.begun_at,
            iteration_count=len(iterations),
            config=_config(stage, brief),
            cost_usd=worth.cost_usd,
            unpriced=worth.unpriced,
            duration_ms=worth.duration_ms,
        ),
        settled=last.settled,
        worth=worth,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _responses(past: Round, numbers: Mapping[str, int]) -> tuple[ModelResponse, ...]:
    return tuple(
        _response(past.replies[seat], numbers[seat], answer.confidence)
        for seat, answer in past.answers.items()
    )


def _response(reply: Reply, instance: int, confidence: float | None) -> ModelResponse:
    metrics = reply.metrics
    return ModelResponse(
        seat=reply.seat.name,
        model=reply.seat.model_id,
        instance=instance,
        response=reply.text,
        confidence=confidence,
        cost_usd=_usd(metrics.cost_micros) if metrics else None,
        duration_ms=metrics.duration_ms if metrics else None,
        input_tokens=metrics.input_tokens if metrics else None,
        output_tokens=metrics.output_tokens if metrics else None,
    )


def _worth(rounds: Sequence[Round]) -> Worth:
    """Return cost and time of all rounds. Members answer in parallel, so the slowest of each step counts."""
    replies = [reply for past in rounds for reply in past.all_replies()]
    costs = [(reply.seat.model_id, reply.metrics.cost_micros) for reply in replies if reply.metrics]
    known = [cost for _, cost in costs if cost is not None]
    duration = sum(
        max((_duration(reply) for reply in step), default=0)
        for past in rounds
        for step in (past.replies.values(), past.ballots, [past.judged] if past.judged else [])
    )
    return Worth(
        cost_usd=_usd(sum(known)) if known else None,
        unpriced=tuple(dict.fromkeys(model for model, cost in costs if cost is None)),
        duration_ms=duration,
        best_single=_best_single(rounds),
    )


def _best_single(rounds: Sequence[Round]) -> SingleMember | None:
    """Return the best member of the last round: by rank, else by its own confidence."""
    last = rounds[-1]
    ranked = [mean.seat for mean in last.ranking.mean_ranks] if last.ranking else []
    ranked += last.verdict.ranking if last.verdict else ()
    sure = [answer for answer in last.answers.values() if answer.confidence is not None]
    ranked += [answer.seat for answer in sorted(sure, key=lambda answer: -(answer.confidence or 0.0))]
    seat = next((name for name in ranked if name in last.answers), None)
    first = next((past.replies[seat] for past in rounds if seat in past.answers), None) if seat else None
    if first is None or first.metrics is None:
        return None
    return SingleMember(
        seat=first.seat.name,
        model=first.seat.model_id,
        cost_usd=_usd(first.metrics.cost_micros),
        duration_ms=first.metrics.duration_ms,
    )


def _config(stage: Stage, brief: ConsortiumBrief) -> dict[str, object]:
    arbiter = stage.role("arbiter")[0].model_id
    return {"models": _counts(stage), "arbiter": arbiter, **brief.model_dump(mode="json")}


def _counts(stage: Stage) -> dict[str, int]:
    counts: dict[str, int] = {}
    for seat in stage.role("member"):
        counts[seat.model_id] = counts.get(seat.model_id, 0) + 1
    return counts


def _duration(reply: Reply) -> int:
    return reply.metrics.duration_ms if reply.metrics else 0


def _usd(micros: int | None) -> float | None:
    return None if micros is None else micros / MICROS
