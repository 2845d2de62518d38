"""Checks of one answer: each check's verdict, and the score of all together."""

from collections.abc import Mapping

import msgspec

from parley.features.lab.calling import JUDGE_PURPOSE, LabCalls
from parley.features.lab.checks.contract import CheckSpec, JudgePair, JudgeRubric
from parley.features.lab.prompts.body import digest_of
from parley.features.lab.runs.allowance import Allowance
from parley.features.lab.runs.plan import bound_micros
from parley.kernel.errors import OverBudget
from parley.kernel.messages import Message
from parley.kernel.options import AskOptions

JUDGE_TOKENS = 1024

KIND_NAMES: Mapping[str, str] = {
    "equals": "Equals",
    "starts_with": "Starts with",
    "contains": "Contains",
    "regex": "Matches",
    "json_schema": "Valid JSON",
    "number": "Number",
    "length": "Length",
    "latency": "In time",
    "cost": "Cost",
    "bleu": "BLEU",
    "chrf": "chrF",
    "rouge_l": "ROUGE-L",
    "similarity": "Similarity",
    "tool_call": "Calls a tool",
    "refusal": "Refuses",
    "language": "Language",
    "python": "Python",
    "by_hand": "By hand",
    "judge": "Judge",
    "judge_pair": "Judge, in pairs",
}


def check_sha256(check: CheckSpec) -> str:
    """Return the hash of all that decides a check's verdict; its label and weight do not."""
    return digest_of(msgspec.structs.replace(check, label="", weight=1))


def label_of(check: CheckSpec) -> str:
    """Return a check's label, or the name of its kind."""
    if check.label:
        return check.label
    kind = str(check.__struct_config__.tag)
    return ("Not: " if check.negate else "") + KIND_NAMES.get(kind, kind)


def is_judge(check: CheckSpec) -> bool:
    """Return whether a check asks a model, which costs."""
    return isinstance(check, JudgeRubric | JudgePair)


class JudgeCalls:
    """Asks a judge's model at the cost of one owner, within an allowance. `cost_micros` is what its calls cost."""

    def __init__(
        self, calls: LabCalls, owner_id: str, author_id: str, allowance: Allowance | None = None
    ) -> None:
        """`author_id` is who asks for the owner, which may be a workspace."""
        self._calls = calls
        self._owner_id = owner_id
        self._author_id = author_id
        self._allowance = allowance or Allowance(None)
        self.cost_micros = 0
        self.capped: OverBudget | None = None

    async def __call__(self, model: str, prompt: str, /) -> str:
        """Return the judge's text. Raises ParleyError if there is no answer."""
        options = AskOptions(temperature=0, max_output_tokens=JUDGE_TOKENS)
        messages = (Message("user", prompt),)
        bound = bound_micros(self._calls.model(model), messages, options)
        try:
            await self._allowance.hold(bound)
        except OverBudget as error:
            self.capped = error
            raise
        spent = 0
        try:
            spoken = await self._calls.ask(
                *(self._owner_id, model, messages, options), author_id=self._author_id, purpose=JUDGE_PURPOSE
            )
            spent = spoken.result.metrics.cost_micros or 0
        finally:
            self._allowance.settle(bound, spent)
            self.cost_micros += spent
        if spoken.error is not None:
            raise spoken.error
        return spoken.text
