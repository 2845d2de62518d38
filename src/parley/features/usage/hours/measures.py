"""Measures of calls, read from usage by the hour."""

from collections.abc import Sequence

from parley.features.usage.hours.repository import DIMENSIONS, read_percentiles, read_sums
from parley.features.usage.measure import PERIODS, Cell, Line, Measure, Question, Value
from parley.features.usage.tables import TIMES
from parley.storage.database import Transaction

NEEDS = "Calls to models, counted within a minute. Those of a blind match count after its vote."
HALF, MOST = 0.5, 0.95


def _of(
    name: str, title: str, values: tuple[Value, ...], columns: Sequence[str], *, needs: str = NEEDS
) -> Measure:
    """Return a measure whose values are plain sums of columns."""
    return Measure(
        name=name,
        title=title,
        needs=needs,
        values=values,
        by=(*PERIODS, *DIMENSIONS),
        where=DIMENSIONS,
        read=lambda transaction, question: read_sums(transaction, question, columns),
    )


def _timed(name: str, title: str, column: str) -> Measure:
    return Measure(
        name=name,
        title=title,
        needs=f"{NEEDS} Half of the replies are below p50, 19 of 20 below p95. Cached answers don't count.",
        values=(Value("p50", "p50", "ms"), Value("p95", "p95", "ms"), Value("replies", "Replies", "count")),
        by=(*PERIODS, *DIMENSIONS),
        where=DIMENSIONS,
        read=lambda transaction, question: read_percentiles(
            transaction, question, TIMES[column], (HALF, MOST)
        ),
    )


def _read_tokens(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return the tokens by kind: no kind includes another."""
    columns = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
    lines: list[Line] = []
    for line in read_sums(transaction, question, columns):
        keys, (sent, cached, written, reasoning) = line[: len(question.by)], _numbers(line, question)
        reasoning, cached = min(reasoning, written), min(cached, sent)
        lines.append((*keys, sent - cached, cached, written - reasoning, reasoning))
    return lines


def _read_errors(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return the share of requests that failed."""
    inner = Question(
        start=question.start,
        end=question.end,
        by=(*question.by, "status"),
        where=question.where,
        owner_id=question.owner_id,
        space_id=question.space_id,
    )
    groups: dict[tuple[Cell, ...], dict[str, int]] = {}
    for line in read_sums(transaction, inner, ("calls",)):
        *keys, status, calls = line
        groups.setdefault(tuple(keys), {})[str(status)] = int(calls or 0)
    lines: list[Line] = []
    for group, counts in groups.items():
        failed, refused, total = counts.get("failed", 0), counts.get("refused", 0), sum(counts.values())
        lines.append((*group, failed / total if total else None, failed, refused, total))
    return lines


def _read_cache(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return the shares of cached answers and of cached input."""
    columns = ("calls", "from_cache", "input_tokens", "cached_tokens")
    lines: list[Line] = []
    for line in read_sums(transaction, question, columns):
        calls, stored, sent, cached = _numbers(line, question)
        shares = stored / calls if calls else None, cached / sent if sent else None
        lines.append((*line[: len(question.by)], *shares, stored, cached))
    return lines


def _numbers(line: Line, question: Question) -> list[int]:
    return [int(each or 0) for each in line[len(question.by) :]]


MEASURES = (
    _of(
        "cost",
        "Cost",
        (Value("cost_micros", "Cost", "micros"), Value("unpriced", "Requests without a price", "count")),
        ("cost_micros", "unpriced"),
        needs=f"{NEEDS} Models without a price count as nothing.",
    ),
    _of("requests", "Requests", (Value("calls", "Requests", "count"),), ("calls",)),
    Measure(
        name="tokens",
        title="Tokens",
        needs=NEEDS,
        values=(
            Value("input", "Input", "tokens"),
            Value("cached", "Cached input", "tokens"),
            Value("output", "Output", "tokens"),
            Value("reasoning", "Reasoning", "tokens"),
        ),
        by=(*PERIODS, *DIMENSIONS),
        where=DIMENSIONS,
        read=_read_tokens,
    ),
    _timed("first_token", "First token", "first_token_ms"),
    _timed("duration", "Duration", "duration_ms"),
    Measure(
        name="errors",
        title="Errors",
        needs=NEEDS,
        values=(
            Value("rate", "Failed", "share"),
            Value("failed", "Failed requests", "count"),
            Value("refused", "Refused by Parley", "count"),
            Value("calls", "Requests", "count"),
        ),
        by=(*PERIODS, *(name for name in DIMENSIONS if name != "status")),
        where=DIMENSIONS,
        read=_read_errors,
    ),
    Measure(
        name="cache",
        title="Cache",
        needs=NEEDS,
        values=(
            Value("answers", "Answers from the cache", "share"),
            Value("input", "Input that providers had cached", "share"),
            Value("from_cache", "Cached answers", "count"),
            Value("cached_tokens", "Cached tokens", "tokens"),
        ),
        by=(*PERIODS, *DIMENSIONS),
        where=DIMENSIONS,
        read=_read_cache,
    ),
)
