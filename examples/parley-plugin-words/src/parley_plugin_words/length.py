"""A measure: how long answers are."""

from collections.abc import Sequence

from parley.features.usage.hours.measures import MEASURES
from parley.features.usage.measure import Line, Measure, Question, Value
from parley.storage.database import Transaction

_OF = {measure.name: measure for measure in MEASURES}
OUTPUT = 2
"""The place of the output among the values of `tokens`."""


def _read(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return output tokens per request, by group."""
    groups = len(question.by)
    calls = {line[:groups]: line[groups] for line in _OF["requests"].read(transaction, question)}
    lines: list[Line] = []
    for line in _OF["tokens"].read(transaction, question):
        keys, count = line[:groups], int(calls.get(line[:groups]) or 0)
        lines.append((*keys, int(line[groups + OUTPUT] or 0) / count if count else None))
    return lines


ANSWER_LENGTH = Measure(
    name="answer_length",
    title="Answer length",
    needs="Calls to models, counted within a minute.",
    values=(Value("length", "Output tokens per request", "per"),),
    by=_OF["tokens"].by,
    where=_OF["tokens"].where,
    read=_read,
)
