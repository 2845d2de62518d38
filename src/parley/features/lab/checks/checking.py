"""Carries out checks: `apply` gives the verdict of one, `read_checks` refuses settings that cannot work."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from parley.engine import foreign_python
from parley.features.lab.checks import built_in, contract, own_python, patterns, plugged, schemas
from parley.features.lab.checks.contract import Ask, CheckedAnswer, CheckSpec, Verdict
from parley.features.lab.checks.filling import Missing, fill
from parley.features.lab.checks.judges import judge_pair, judge_rubric
from parley.kernel.errors import Invalid, ParleyError

BUILT_IN: dict[type[contract.Check], Callable[[Any, CheckedAnswer], Awaitable[Verdict]]] = {
    contract.Equals: built_in.equals,
    contract.StartsWith: built_in.starts_with,
    contract.Contains: built_in.contains,
    contract.Regex: built_in.regex,
    contract.JsonSchema: built_in.json_schema,
    contract.Number: built_in.number,
    contract.Length: built_in.length,
    contract.Latency: built_in.latency,
    contract.Cost: built_in.cost,
    contract.Bleu: built_in.likeness,
    contract.Chrf: built_in.likeness,
    contract.RougeL: built_in.likeness,
    contract.Similarity: built_in.likeness,
    contract.CallsTool: built_in.calls_tool,
    contract.Refusal: built_in.refusal,
    contract.Language: built_in.language,
    contract.OwnPython: own_python.own_python,
    contract.Plugged: plugged.plugged,
}


async def apply(check: CheckSpec, answer: CheckedAnswer, ask: Ask | None = None) -> Verdict:
    """Return the verdict of a check on an answer. Without `ask`, a judge's verdict is open."""
    if check.when and not answer.values.get(check.when):
        return Verdict(passed=None, score=0, reason="This check is not for this row.")
    try:
        verdict = await _verdict(check, answer, ask)
    except (Missing, patterns.BadPattern, schemas.BadSchema, plugged.NotInstalled) as error:
        return Verdict(passed=None, score=0, reason=str(error))
    except ParleyError as error:
        return Verdict(passed=None, score=0, reason=" ".join(filter(None, (error.title, error.detail))))
    return negated(verdict) if check.negate else verdict


async def _verdict(check: CheckSpec, answer: CheckedAnswer, ask: Ask | None) -> Verdict:
    if isinstance(check, contract.Rubric):
        return Verdict(passed=None, score=0, reason=f"Open: {fill(check.rubric, answer)[:200]}")
    if isinstance(check, contract.JudgeRubric | contract.JudgePair):
        if ask is None:
            return Verdict(passed=None, score=0, reason="No judge can be asked here.")
        if isinstance(check, contract.JudgePair):
            return await judge_pair(check, answer, ask)
        return await judge_rubric(check, answer, ask)
    return await BUILT_IN[type(check)](check, answer)


def negated(verdict: Verdict) -> Verdict:
    """Return the opposite verdict; an open one stays open."""
    if verdict.passed is None:
        return verdict
    return Verdict(passed=not verdict.passed, score=1 - verdict.score, reason=verdict.reason)


async def read_checks(settings: Sequence[dict[str, Any]]) -> list[CheckSpec]:
    """Return checks from their settings. Raises Invalid, naming the check, for settings that cannot work."""
    checks: list[CheckSpec] = []
    for place, each in enumerate(settings):
        field = f"checks.{place}"
        try:
            check = msgspec.convert(each, CheckSpec)
            await _try(check)
        except msgspec.ValidationError as error:
            raise Invalid(field, f"{field}: {error}.", "Nothing was saved.") from None
        except (patterns.BadPattern, schemas.BadSchema, plugged.NotInstalled) as error:
            raise Invalid(field, str(error), "Nothing was saved.") from None
        except foreign_python.CodeFailed as error:
            raise Invalid(field, error.title, error.detail or "Nothing was saved.") from None
        checks.append(check)
    return checks


async def _try(check: CheckSpec) -> None:
    """Let a pattern, a schema or code fail where it can't work with any answer."""
    if isinstance(check, contract.Regex) and "{{" not in check.pattern:
        await patterns.search(check.pattern, "")
    if isinstance(check, contract.JsonSchema):
        await asyncio.to_thread(schemas.refuse, check.schema)
    if isinstance(check, contract.Plugged):
        plugged.refuse(check)
    if isinstance(check, contract.OwnPython):
        await foreign_python.check_syntax(check.code, own_python.FUNCTION)
