"""The missing calls of a measurement of a combination, its rivals and a judge, and the judge's preferences."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import NamedTuple

from parley.cli.deliberation_questions import Question
from parley.cli.measuring import MeasuredCall, Work
from parley.cli.measuring_record import Record
from parley.text.verdicts import judge_prompt, read_verdict

TAG = "deliberation"

ANSWER_CHARACTERS = 2_000
"""The length of an answer in the estimate of a judge's prompt."""


class Plan(NamedTuple):
    """The measured models: their ids, and the names under which they are reported."""

    combination: str
    rivals: tuple[str, ...]
    judge: str | None
    questions: Sequence[Question]
    names: Mapping[str, str]


def work_of(plan: Plan, record: Record) -> Work:
    """Return the calls of a plan, one question after the other, so that times are comparable."""
    items = [partial(due, plan, record, question) for question in plan.questions]
    return Work(items, record, TAG, "question", "an answer")


def due(plan: Plan, record: Record, question: Question) -> Iterator[MeasuredCall]:
    """Yield what a question still lacks, the answers before the verdicts."""
    prompt = question.prompt
    for model in (plan.combination, *plan.rivals):
        if record.find(prompt, model) is None:
            yield MeasuredCall(prompt, model, len(prompt), lambda: prompt)
    if plan.judge is None or question.checked:
        return
    for rival in plan.rivals:
        for shown in permutations((plan.combination, rival)):
            if record.find(prompt, plan.judge, shown) is None:
                characters = len(prompt) + ANSWER_CHARACTERS * len(shown)
                yield MeasuredCall(
                    prompt, plan.judge, characters, partial(_asked, record, question, shown), shown
                )


def _asked(record: Record, question: Question, shown: tuple[str, ...]) -> str:
    first, second = (
        reply.text for model in shown if (reply := record.find(question.prompt, model)) is not None
    )
    return judge_prompt(question.question, first, second)


def preferred(plan: Plan, record: Record, question: Question, rival: str) -> int:
    """Return 1 if the judge prefers the combination to a rival in both orders, −1 the rival, else 0."""
    pair = (plan.combination, rival)
    first, second = (_better(plan, record, question, shown) for shown in permutations(pair))
    return 0 if first is None or first != second else 1 if first == plan.combination else -1


def count_unread(plan: Plan, record: Record, questions: Sequence[Question]) -> int:
    """Return how many verdicts have no line that says who is better."""
    pairs = [shown for rival in plan.rivals for shown in permutations((plan.combination, rival))]
    verdicts = (record.find(each.prompt, plan.judge or "", shown) for each in questions for shown in pairs)
    return sum(verdict is not None and read_verdict(verdict.text) is None for verdict in verdicts)


def _better(plan: Plan, record: Record, question: Question, shown: tuple[str, ...]) -> str | None:
    """Return whose answer the judge calls better; None for a tie and what can't be read."""
    verdict = record.find(question.prompt, plan.judge or "", shown)
    reading = read_verdict(verdict.text) if verdict else None
    return {"first": shown[0], "second": shown[1]}.get(reading or "")
