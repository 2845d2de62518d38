"""promptfoo's assertions as checks, and checks as assertions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from parley.features.lab.checks import contract
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.promptfoo.sources import NotTaken
from parley.text.located_yaml import LocatedError, parse_yaml

MICROS = 1_000_000
PYTHON = "def check(answer, expected, values):\n    output = answer\n    context = {'vars': values}\n"

Assertion = Mapping[str, object]


def check_of(assertion: Assertion, judge: str | None) -> CheckSpec:
    """Return the check of an assertion. Raises NotTaken, which says why."""
    kind = str(assertion.get("type", ""))
    bare = kind.removeprefix("not-")
    make = _MAKERS.get(bare)
    if make is None:
        raise NotTaken("has no counterpart")
    if "transform" in assertion:
        raise NotTaken("an answer can't be transformed before it is checked")
    if bare == "llm-rubric" and judge is None:
        raise NotTaken("needs a judge: choose its model")
    try:
        check = make(assertion, judge or "")
        return msgspec.convert(
            {
                **msgspec.to_builtins(check),
                "negate": kind.startswith("not-") != check.negate,
                "label": str(assertion.get("metric", ""))[:80],
                "weight": assertion.get("weight", 1),
            },
            CheckSpec,
        )
    except msgspec.ValidationError as error:
        raise NotTaken(str(error)) from None
    except (ValueError, TypeError, OverflowError):
        raise NotTaken("its value can't be read") from None


def assertion_of(check: CheckSpec) -> dict[str, object]:
    """Return the assertion of a check. Raises NotTaken."""
    document = _assertion(check)
    if check.negate:
        document["type"] = f"not-{document['type']}"
    if check.weight != 1:
        document["weight"] = check.weight
    if check.label:
        document["metric"] = check.label
    return document


def _assertion(check: CheckSpec) -> dict[str, object]:
    match check:
        case contract.Equals(ignore_case=False):
            return {"type": "equals", "value": check.value}
        case contract.StartsWith(ignore_case=False):
            return {"type": "starts-with", "value": check.value}
        case contract.Contains():
            case, values = "i" if check.ignore_case else "", list(check.values)
            one = len(values) == 1
            return {
                "type": f"{case}contains{'' if one else f'-{check.match}'}",
                "value": values[0] if one else values,
            }
        case contract.Regex():
            return {"type": "regex", "value": check.pattern}
        case contract.JsonSchema():
            kind = "contains-json" if check.within_text else "is-json"
            return {"type": kind, "value": dict(check.schema)} if check.schema else {"type": kind}
        case contract.Length(unit="words"):
            most = {} if check.most is None else {"max": check.most}
            return {"type": "word-count", "value": {"min": check.least, **most}}
        case contract.Latency():
            return {"type": "latency", "threshold": check.most_ms}
        case contract.Cost():
            return {"type": "cost", "threshold": check.most_micros / MICROS}
        case contract.Bleu():
            return {"type": "bleu", "value": check.value, "threshold": check.least}
        case contract.Refusal():
            return {"type": "is-refusal"}
        case contract.JudgeRubric():
            return {
                "type": "llm-rubric",
                "value": check.rubric,
                "provider": check.model,
                "threshold": check.least,
            }
        case _:
            raise NotTaken(f"“{check.__struct_config__.tag}” has no counterpart in promptfoo")


def text_of(assertion: Assertion, name: str = "value") -> str:
    """Return a text of an assertion. Raises NotTaken if it is none, or a file."""
    value = assertion.get(name)
    if not isinstance(value, str | int | float | bool):
        raise NotTaken(f"its {name} is not a text")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if text.startswith("file://"):
        raise NotTaken("its value is in a file")
    return text


def _texts(assertion: Assertion) -> tuple[str, ...]:
    value = assertion.get("value")
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(","))
    if isinstance(value, Sequence) and value:
        return tuple(str(item) for item in cast("Sequence[object]", value))
    raise NotTaken("its value is no list of texts")


def _threshold(assertion: Assertion, usual: float | None = None) -> float:
    value = assertion.get("threshold", usual)
    if not isinstance(value, int | float):
        raise NotTaken("it has no threshold")
    return float(value)


def _equals(assertion: Assertion, _: str) -> CheckSpec:
    value = assertion.get("value")
    if isinstance(value, Mapping | list):
        return contract.JsonSchema(schema={"const": cast("object", value)}, fenced=False)
    return contract.Equals(value=text_of(assertion), exact=True)


def _contains(
    match: str, *, folded: bool = False, one: bool = False
) -> Callable[[Assertion, str], CheckSpec]:
    def make(assertion: Assertion, _: str) -> CheckSpec:
        values = (text_of(assertion),) if one else _texts(assertion)
        return contract.Contains(values=values, match=cast("Any", match), ignore_case=folded)

    return make


def _json(*, within: bool) -> Callable[[Assertion, str], CheckSpec]:
    def make(assertion: Assertion, _: str) -> CheckSpec:
        schema: object = assertion.get("value") or dict[str, object]()
        if isinstance(schema, str):
            try:
                schema = parse_yaml(schema).data
            except LocatedError:
                schema = None
        if not isinstance(schema, Mapping):
            raise NotTaken("its value is no JSON schema")
        return contract.JsonSchema(
            schema=cast("Mapping[str, object]", schema), within_text=within, fenced=within
        )

    return make


def _words(assertion: Assertion, _: str) -> CheckSpec:
    value = assertion.get("value")
    if isinstance(value, Mapping):
        limits = cast("Mapping[str, object]", value)
        least, most = cast("int", limits.get("min", 0)), cast("int | None", limits.get("max"))
        return contract.Length(least=least, most=most, unit="words")
    count = int(text_of(assertion))
    return contract.Length(least=count, most=count, unit="words")


def _python(assertion: Assertion, _: str) -> CheckSpec:
    code = text_of(assertion).strip()
    if "\n" in code or code.startswith(("def ", "return ", "import ")):
        body = "\n".join(f"    {line}" for line in code.splitlines())
        return contract.OwnPython(code=PYTHON + body)
    return contract.OwnPython(code=f"{PYTHON}    return {code}")


_MAKERS: Mapping[str, Callable[[Assertion, str], CheckSpec]] = {
    "equals": _equals,
    "starts-with": lambda it, _: contract.StartsWith(value=text_of(it), exact=True),
    "contains": _contains("all", one=True),
    "icontains": _contains("all", folded=True, one=True),
    "contains-any": _contains("any"),
    "icontains-any": _contains("any", folded=True),
    "contains-all": _contains("all"),
    "icontains-all": _contains("all", folded=True),
    "regex": lambda it, _: contract.Regex(pattern=text_of(it)),
    "is-json": _json(within=False),
    "contains-json": _json(within=True),
    "word-count": _words,
    "latency": lambda it, _: contract.Latency(most_ms=int(_threshold(it))),
    "cost": lambda it, _: contract.Cost(most_micros=round(_threshold(it) * MICROS)),
    "bleu": lambda it, _: contract.Bleu(value=text_of(it), least=_threshold(it, 0.5)),
    "is-refusal": lambda _, __: contract.Refusal(),
    "python": _python,
    "llm-rubric": lambda it, judge: contract.JudgeRubric(
        model=judge, rubric=text_of(it), least=_threshold(it, 0.5)
    ),
}
