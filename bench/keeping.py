"""The rows of storage: durable votes, and the list and search of 100,000 sessions."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from bench import servers
from bench.bar import Row, failed, judged, median, quantile
from bench.loads import BadRun, run_errands
from bench.processes import Process
from bench.requester import Errand
from bench.seeding import RARE_ANSWER, RARE_WORD, TOPICS, Writer, seed

SESSIONS = 100_000
VOTERS = 4
VOTES = f"durable votes, {VOTERS} people at once, p99"
LIST = "list / search 100,000 sessions, server time"
MODELS = ("t200r50-0", "t200r50-1")
QUESTIONS = {
    "list": ("?limit=50",),
    "search": (f"?search={TOPICS[0]}", f"?search={RARE_WORD}", "?search=nowhere-to-be-found"),
}
ANSWERS = "search in the answers of 100,000 sessions (800 characters each), server time"
_WORDS = Writer()
IN_ANSWERS = {
    "a common word": _WORDS.phrase(40),
    "a rare one": RARE_ANSWER,
    "one of twenty thousand": _WORDS.phrase(15_000),
    "three common words in a row": _WORDS.phrase(3, 5, 8),
    "two letters that are nowhere": "zq",
}


def storage_rows(folder: Path, upstream_port: int, *, votes: int, asks: int) -> Iterator[Row]:
    """Measure on a database that was filled before the server started."""
    battles = seed(folder / "data", sessions=SESSIONS, battles=votes, models=MODELS)
    with servers.parley(folder, upstream_port) as parley:
        ballots = [Errand(f"/api/matches/{battle}/vote", '{"vote":"left"}') for battle in battles]
        parley.settle()
        try:
            done = run_errands(parley, ballots, connections=VOTERS)
            rate, p99 = len(done.times) / done.lasted_s, quantile(done.times, 0.99) * 1000
            figure = f"{rate:.0f}/s, {p99:.0f} ms"
            # Both limits as one comparison: a rate is turned round, so that less is better.
            row = judged(VOTES, figure, (1 / rate, p99), must=(1 / 300, 20))
            row.must = "≥ 300/s, ≤ 20 ms"
            yield row
        except BadRun as bad:
            yield failed(VOTES, str(bad))
        yield _search_row(parley, asks)
        yield _answers_row(parley, asks)


def _search_row(parley: Process, asks: int) -> Row:
    try:
        times = {
            question: _time(parley, question, asks)
            for questions in QUESTIONS.values()
            for question in questions
        }
    except BadRun as bad:
        return failed(LIST, str(bad))
    slowest = [max(times[question] for question in questions) for questions in QUESTIONS.values()]
    words = " / ".join(f"{value:.0f}" for value in slowest)
    each = ", ".join(f"{times[question]:.0f}" for question in QUESTIONS["search"])
    figure = f"{words} ms (a common, a rare, an absent word: {each} ms)"
    return judged(LIST, figure, slowest, must=(30, 100), unit="ms")


def _answers_row(parley: Process, asks: int) -> Row:
    try:
        times = {name: _time(parley, f"?search={quote(words)}", asks) for name, words in IN_ANSWERS.items()}
    except BadRun as bad:
        return failed(ANSWERS, str(bad))
    slowest = max(times.values())
    each = ", ".join(f"{name} {value:.0f}" for name, value in times.items())
    return judged(ANSWERS, f"{slowest:.0f} ms ({each})", (slowest,), must=(100,), unit="ms")


def _time(parley: Process, question: str, asks: int) -> float:
    """Return the median time of asking for a list, in milliseconds. Raises BadRun."""
    return median(run_errands(parley, [Errand(f"/api/sessions{question}")] * asks).times) * 1000
