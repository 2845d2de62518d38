"""The contract of checks: their settings, the answer that they look at, and their verdict.

A check's texts may hold `{{name}}`: a value of the row, or `{{expected}}`, the row's expected value.
`checking.apply` carries a check out; `checking.validate` refuses settings that cannot work.
"""

from collections.abc import Awaitable, Mapping
from typing import Annotated, Literal, Protocol, TypeAlias

import msgspec

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Label = Annotated[str, msgspec.Meta(max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=20_000)]
Names = Annotated[tuple[Text, ...], msgspec.Meta(max_length=100)]
Positive = Annotated[int, msgspec.Meta(ge=0)]

Unit: TypeAlias = Literal["characters", "words", "lines"]

EXPECTED = "{{expected}}"


class ToolCall(msgspec.Struct, frozen=True):
    """A tool that a model called, and its arguments."""

    name: str
    arguments: Mapping[str, object] = {}


class CheckedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a model to one row, and all that a check may look at."""

    text: str
    prompt: str = ""
    """The question as the model got it: judges read it."""
    tool_calls: tuple[ToolCall, ...] = ()
    values: Mapping[str, object] = {}
    """The row's values, by the name of the prompt's variable."""
    expected: str | None = None
    baseline: str | None = None
    """The answer that a pairwise judge compares with, if not the expected value."""
    latency_ms: int | None = None
    cost_micros: int | None = None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check. `passed` is None if nobody could tell: a person has to, or the judge failed."""

    passed: bool | None
    score: Share
    reason: str = ""


class Ask(Protocol):
    """Asks a judge's model, at the cost of the run. Raises ParleyError if there is no answer."""

    def __call__(self, model: str, prompt: str, /) -> Awaitable[str]:
        """Return the text that the model answers."""
        ...


class Check(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """The settings that all checks share: a label, their weight in an answer's score, and `negate` for “not”.

    `when` names a value of the row: the check is only for rows that have it. For others its verdict is open.
    """

    label: Label = ""
    weight: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 1
    negate: bool = False
    when: Label = ""


class Equals(Check, frozen=True, kw_only=True, tag="equals"):
    """The whole answer is the value, surrounding blanks aside unless `exact`."""

    value: Text = EXPECTED
    ignore_case: bool = False
    exact: bool = False


class StartsWith(Check, frozen=True, kw_only=True, tag="starts_with"):
    """The answer begins with the value, after blanks unless `exact`."""

    value: Text = EXPECTED
    ignore_case: bool = False
    exact: bool = False


class Contains(Check, frozen=True, kw_only=True, tag="contains"):
    """Any, or all, of the values occur in the answer."""

    values: Names = (EXPECTED,)
    match: Literal["any", "all"] = "all"
    ignore_case: bool = False


class Regex(Check, frozen=True, kw_only=True, tag="regex"):
    """A regular expression is found in the answer."""

    pattern: Text


class JsonSchema(Check, frozen=True, kw_only=True, tag="json_schema"):
    """The answer is JSON, and of a schema if there is one."""

    schema: Mapping[str, object] = {}
    within_text: bool = False
    """True: a JSON value somewhere in the answer will do."""
    fenced: bool = True
    """True: JSON in a code fence is JSON."""


class Number(Check, frozen=True, kw_only=True, tag="number"):
    """The last number of the answer is the value, within a tolerance."""

    value: Text = EXPECTED
    tolerance: Annotated[float, msgspec.Meta(ge=0)] = 0
    relative: bool = False
    """True: the tolerance is a share of the value."""


class Length(Check, frozen=True, kw_only=True, tag="length"):
    """The answer has at least and at most so many characters, words or lines."""

    least: Positive = 0
    most: Positive | None = None
    unit: Unit = "characters"


class Latency(Check, frozen=True, kw_only=True, tag="latency"):
    """The answer was complete in time."""

    most_ms: Positive


class Cost(Check, frozen=True, kw_only=True, tag="cost"):
    """The answer cost no more than so many millionths of a dollar."""

    most_micros: Positive


class Overlap(Check, frozen=True, kw_only=True):
    """A score from 0 to 1 of the likeness to a reference; passes from `least` on."""

    value: Text = EXPECTED
    least: Share = 0.5


class Bleu(Overlap, frozen=True, kw_only=True, tag="bleu"):
    """BLEU of the sentence (sacrebleu)."""


class Chrf(Overlap, frozen=True, kw_only=True, tag="chrf"):
    """chrF: likeness by n-grams of characters (sacrebleu)."""


class RougeL(Overlap, frozen=True, kw_only=True, tag="rouge_l"):
    """ROUGE-L: the longest common subsequence of words, as an F1."""


class Similarity(Overlap, frozen=True, kw_only=True, tag="similarity"):
    """Likeness by edits of characters (rapidfuzz)."""


class CallsTool(Check, frozen=True, kw_only=True, tag="tool_call"):
    """The model called a tool, with these arguments among others."""

    name: Label
    arguments: Mapping[str, object] = {}


class Refusal(Check, frozen=True, kw_only=True, tag="refusal"):
    """The model refuses to answer. With `negate`: it does not."""


class Language(Check, frozen=True, kw_only=True, tag="language"):
    """The answer is in a language, by its code of two letters."""

    code: Annotated[str, msgspec.Meta(pattern="^([a-z]{2}|[{]{2}.+[}]{2})$", max_length=80)] = EXPECTED


class OwnPython(Check, frozen=True, kw_only=True, tag="python"):
    """One's own `def check(answer, expected, values)`: returns a bool, a score, or both with a reason."""

    code: Text


class Rubric(Check, frozen=True, kw_only=True, tag="by_hand"):
    """A person says if the answer meets the rubric. Until then its verdict is open."""

    rubric: Text


class JudgeRubric(Check, frozen=True, kw_only=True, tag="judge"):
    """A model scores the answer by a rubric from 0 to 10; passes from `least` on."""

    model: str
    rubric: Text
    least: Share = 0.7


class JudgePair(Check, frozen=True, kw_only=True, tag="judge_pair"):
    """A model prefers the answer to the baseline's, or the value, in both orders. A tie scores a half."""

    model: str
    value: Text = EXPECTED
    tie_passes: bool = True


class Plugged(Check, frozen=True, kw_only=True, tag="plugin"):
    """A check of an installed plugin, by its name, with its settings."""

    name: Label
    settings: Mapping[str, object] = {}


CheckSpec: TypeAlias = (
    Equals
    | StartsWith
    | Contains
    | Regex
    | JsonSchema
    | Number
    | Length
    | Latency
    | Cost
    | Bleu
    | Chrf
    | RougeL
    | Similarity
    | CallsTool
    | Refusal
    | Language
    | OwnPython
    | Rubric
    | JudgeRubric
    | JudgePair
    | Plugged
)
