"""Checks: each kind passes what it should, fails what it should, and hangs on nothing."""

import time
from typing import Any

import msgspec
import pytest

from parley.features.lab.checks import contract
from parley.features.lab.checks.checking import BUILT_IN, apply, read_checks
from parley.features.lab.checks.contract import CheckedAnswer, CheckSpec, ToolCall, Verdict
from parley.kernel.errors import Invalid, Unreachable

ENGLISH = "The quick brown fox jumps over the lazy dog, and then it sleeps under the old tree."
SCHEMA = {"type": "object", "properties": {"pattern": {"type": "integer"}}, "required": ["pattern"]}
PYTHON = "def check(answer, expected, values):\n    return len(answer) / 10, values['why']"
ANSWER = CheckedAnswer(
    text="Paris",
    prompt="Capital of France?",
    values={"city": "Paris", "n": 3},
    expected="Paris",
    latency_ms=900,
    cost_micros=50,
)


def of(text: str, **more: object) -> CheckedAnswer:
    return msgspec.structs.replace(ANSWER, text=text, **more)


@pytest.mark.parametrize(
    ("settings", "passing", "failing"),
    [
        ({"kind": "equals"}, "  Paris\n", "paris"),
        ({"kind": "equals", "value": "{{city}}", "ignore_case": True}, "PARIS", "Paris."),
        ({"kind": "starts_with"}, "Paris it is", "It is Paris"),
        ({"kind": "contains", "values": ["Paris", "{{n}}"]}, "Paris, 3 times", "Paris"),
        ({"kind": "contains", "values": ["a", "b"], "match": "any"}, "bus", "cup"),
        ({"kind": "regex", "pattern": r"^\w+-\d{{n}}$".replace("{{n}}", "{3}")}, "ab-123", "ab-12"),
        ({"kind": "json_schema", "schema": SCHEMA}, '```json\n{"pattern": 1}\n```', '{"pattern": "1"}'),
        ({"kind": "json_schema"}, "[1]", "no [1] alone"),
        ({"kind": "json_schema", "within_text": True}, 'Here: {"a": [1]}.', "{nothing}"),
        ({"kind": "number", "value": "1200", "tolerance": 5}, "6 × 200 = 1,203.5", "1,206"),
        ({"kind": "number", "value": "10", "tolerance": 0.1, "relative": True}, "−3, then 10.9", "11.1"),
        ({"kind": "length", "least": 2, "most": 3, "unit": "words"}, "one two", "one"),
        ({"kind": "bleu", "value": "the cat sat on the mat today"}, "the cat sat on the mat", "a dog"),
        ({"kind": "chrf", "value": "the cat sat"}, "the cats sat", "xyz"),
        ({"kind": "rouge_l", "value": "the cat sat on the mat"}, "The cat lay on the mat.", "Dogs run"),
        ({"kind": "similarity"}, "Pariss", "London"),
        ({"kind": "refusal"}, "I’m sorry, but I can’t help with that.", "I can help with that."),
        (
            {"kind": "language", "code": "en"},
            ENGLISH,
            "Der schnelle Fuchs springt über den faulen Hund im Garten.",
        ),
        ({"kind": "python", "code": PYTHON.replace("'why'", "'city'")}, "12345678", "123"),
    ],
)
async def test_a_check_passes_and_fails(settings: dict[str, Any], passing: str, failing: str) -> None:
    (check,) = await read_checks([settings])
    yes, no = await apply(check, of(passing)), await apply(check, of(failing))
    assert (yes.passed, no.passed) == (True, False), (yes, no)
    assert yes.score > no.score
    opposite = msgspec.structs.replace(check, negate=True)
    assert (await apply(opposite, of(failing))).passed is True
    assert (await apply(opposite, of(passing))).score == pytest.approx(1 - yes.score)


async def test_limits_of_time_and_cost() -> None:
    assert (await apply(contract.Latency(most_ms=900), ANSWER)).passed is True
    assert (await apply(contract.Latency(most_ms=899), ANSWER)).passed is False
    assert (await apply(contract.Cost(most_micros=49), ANSWER)).passed is False
    unknown = of("", latency_ms=None, cost_micros=None)
    assert (await apply(contract.Latency(most_ms=1), unknown)).passed is None
    assert (await apply(contract.Cost(most_micros=1), unknown)).passed is None


async def test_a_tool_must_be_called_with_these_arguments() -> None:
    check = contract.CallsTool(name="weather", arguments={"city": "{{city}}", "days": 2})
    right = of("", tool_calls=(ToolCall("weather", {"city": "Paris", "days": 2, "unit": "C"}),))
    assert (await apply(check, right)).passed is True
    wrong = of("", tool_calls=(ToolCall("weather", {"city": "Rome", "days": 2}), ToolCall("time")))
    assert (await apply(check, wrong)).reason == "The argument “city” of weather differs."
    assert (await apply(check, ANSWER)).reason == "The model called no tool, not weather."


async def test_a_row_without_the_value_leaves_the_verdict_open() -> None:
    for check in (contract.Equals(), contract.Contains(), contract.Bleu()):
        verdict = await apply(check, CheckedAnswer(text="Paris"))
        assert (verdict.passed, verdict.reason) == (None, "This row has no expected value.")
    assert (await apply(contract.Equals(value="{{no}}", negate=True), ANSWER)).passed is None
    assert (await apply(contract.Rubric(rubric="Polite?"), ANSWER)).reason == "Open: Polite?"


async def test_patterns_schemas_and_code_cannot_hang_the_server() -> None:
    started = time.monotonic()
    nested = {
        "$defs": {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)},
        "$ref": "#/$defs/d0",
    }
    nested["$defs"]["d40"] = {"type": "string"}
    slow: list[CheckSpec] = [
        contract.Regex(pattern=r"(?=(a+))(a*)*\1b"),
        contract.JsonSchema(schema=nested),
        contract.JsonSchema(schema={"$ref": "#"}),
        contract.JsonSchema(schema={"$ref": "http://127.0.0.1:9/schema"}),
        contract.JsonSchema(schema={"properties": {"a": {"pattern": "(a+)+$"}}}),
        contract.OwnPython(code="def check(answer, expected, values):\n    while True: pass"),
        contract.Equals(value="{{" * 5000),
    ]
    for check in slow:
        verdict = await apply(
            check, of("[" + "1," * 30_000 + "1]" if isinstance(check, contract.JsonSchema) else "a" * 30_000)
        )
        assert not verdict.passed, check
        assert verdict.reason
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "regex", "pattern": "(a"}, "pattern can't be used"),
        ({"kind": "json_schema", "schema": {"type": "strin"}}, "type"),
        ({"kind": "json_schema", "schema": {"items": {"pattern": "a"}}}, "“pattern” isn't supported"),
        ({"kind": "python", "code": "def check(a):\n    return ("}, "Line 2"),
        ({"kind": "python", "code": "x = 1"}, "no function “check”"),
        ({"kind": "equal"}, "equal"),
        ({"kind": "bleu", "least": 2}, "least"),
    ],
)
async def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        await read_checks([settings])


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ("True", (True, 1, "")),
        ("0.4", (False, 0.4, "")),
        ("False, 'no'", (False, 0, "no")),
        ("3", (None, 0, "must return")),
        ("{'pass': True, 'score': 0.2, 'reason': 'ok'}", (True, 0.2, "ok")),
        ("'yes'", (None, 0, "must return")),
        ("1/0", (None, 0, "Line 2")),
    ],
)
async def test_own_python_returns_a_verdict(result: str, verdict: tuple[bool | None, float, str]) -> None:
    code = f"def check(answer, expected, values):\n    return {result}"
    got = await apply(contract.OwnPython(code=code), ANSWER)
    assert (got.passed, got.score) == verdict[:2]
    assert verdict[2] in got.reason


async def test_a_judge_scores_by_a_rubric() -> None:
    prompts: list[str] = []

    async def ask(model: str, prompt: str) -> str:
        prompts.append(prompt)
        return {"a": "Good.\n**Score:** 8", "b": "Score: 11", "c": "Fine"}[model]

    check = contract.JudgeRubric(model="a", rubric="Names {{city}}")
    assert await apply(check, of("<b>Paris</b>"), ask) == Verdict(passed=True, score=0.8, reason="Good.\n**")
    assert "Names Paris" in prompts[0]
    assert "&lt;b>" in prompts[0] or "&lt;b&gt;" in prompts[0]
    for model in "bc":
        assert (await apply(msgspec.structs.replace(check, model=model), ANSWER, ask)).passed is None
    assert (await apply(check, ANSWER)).reason == "No judge can be asked here."


@pytest.mark.parametrize(
    ("replies", "passed", "score"),
    [
        ("12", True, 1),
        ("21", False, 0),
        ("11", True, 0.5),
        ("1t", True, 0.5),
        ("t2", True, 0.5),
        ("tt", True, 0.5),
        ("1?", None, 0),
    ],
)
async def test_a_judge_prefers_in_both_orders(replies: str, passed: bool | None, score: float) -> None:
    answers = iter(replies)

    async def ask(model: str, prompt: str) -> str:
        return f"Better: {next(answers).replace('t', 'tie')}"

    verdict = await apply(contract.JudgePair(model="j"), ANSWER, ask)
    assert (verdict.passed, verdict.score) == (passed, score)


async def test_a_judge_that_cannot_be_asked_leaves_the_verdict_open() -> None:
    async def ask(model: str, prompt: str) -> str:
        raise Unreachable("Can't reach the judge.", "Start it.", cause="refused")

    verdict = await apply(contract.JudgeRubric(model="j", rubric="r"), ANSWER, ask)
    assert (verdict.passed, verdict.reason) == (None, "Can't reach the judge. Start it.")


def test_every_kind_has_its_function() -> None:
    asked_of_others = {contract.Rubric, contract.JudgeRubric, contract.JudgePair}
    assert set(BUILT_IN) | asked_of_others == set(contract.CheckSpec.__args__)
