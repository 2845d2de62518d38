"""Tries a prompt: one question to one model, and the verdicts on its answer. Nothing is stored but the call."""

from parley.features.lab.calling import LabCalls, Spoken
from parley.features.lab.checks.checking import apply, read_checks
from parley.features.lab.checks.contract import CheckedAnswer, CheckSpec
from parley.features.lab.checks_of_answer import JudgeCalls, label_of
from parley.features.lab.prompts.schemas import CheckOutcome, TriedAnswer, TryPrompt
from parley.kernel.caller import Caller
from parley.kernel.errors import Unavailable
from parley.kernel.messages import text_of

MICROS = 1_000_000


class Trying:
    """Asks a model with a body that need not be saved."""

    def __init__(self, calls: LabCalls) -> None:
        self._calls = calls

    async def ask(self, caller: Caller, request: TryPrompt) -> TriedAnswer:
        """Return the answer with the verdicts. Raises Invalid, Unavailable if the model fails."""
        model = self._calls.model(request.model)
        checks = await read_checks(request.checks)
        body = request.body()
        messages = body.fill(request.values)
        options = body.options.ask_options(limited=False)
        spoken = await self._calls.ask(
            caller.person_id, model.id, messages, options, author_id=caller.author_id
        )
        if spoken.error is not None:
            raise Unavailable(
                f"{model.name} did not answer: {spoken.error.title}",
                spoken.error.detail or "The prompt is as you left it. Try again, or choose another model.",
                code="prompt_failed",
            )
        metrics = spoken.result.metrics
        answer = CheckedAnswer(
            text=spoken.text,
            prompt="\n\n".join(text_of(message) for message in messages),
            tool_calls=spoken.tool_calls,
            values=request.values,
            expected=request.expected,
            latency_ms=metrics.duration_ms,
            cost_micros=metrics.cost_micros,
        )
        outcomes = [await self._outcome(caller, check, answer) for check in checks]
        return _view(model.id, spoken, tuple(outcomes))

    async def _outcome(self, caller: Caller, check: CheckSpec, answer: CheckedAnswer) -> CheckOutcome:
        verdict = await apply(check, answer, JudgeCalls(self._calls, caller.person_id, caller.author_id))
        return CheckOutcome(
            label=label_of(check), passed=verdict.passed, score=verdict.score, reason=verdict.reason
        )


def _view(model_id: str, spoken: Spoken, checks: tuple[CheckOutcome, ...]) -> TriedAnswer:
    metrics = spoken.result.metrics
    return TriedAnswer(
        text=spoken.text,
        model=model_id,
        finish_reason=spoken.finish_reason,
        latency_ms=metrics.duration_ms,
        input_tokens=metrics.input_tokens,
        output_tokens=metrics.output_tokens,
        cost_usd=None if metrics.cost_micros is None else metrics.cost_micros / MICROS,
        checks=checks,
    )
