"""The row of rounds: what a consortium's round takes beyond its models' own time.

Ten members answer at once, then the arbiter; each takes a second, so the models alone take two. The arbiter's reply is
no verdict, so every round but the last leads to another one.
"""

import time
from collections.abc import Iterator
from http.client import HTTPConnection  # noqa: TID251 - asks the server that is measured
from itertools import pairwise
from pathlib import Path

import msgspec

from bench import servers
from bench.bar import Row, failed, judged, median
from bench.loads import PROMPT
from bench.processes import Process

WHAT = "a round of ten members and its arbiter at L = 1 s each, against the 2 L of the models"
ANSWER = "t50r50"
"""Fifty tokens at fifty a second: one second."""

MODELS_S = 2.0
ROUNDS = 10
SEATS = {"arbiter": f"{ANSWER}-0", **dict.fromkeys("abcdefghij", f"{ANSWER}-1")}


def round_rows(folder: Path, upstream_port: int, *, rounds: int = ROUNDS) -> Iterator[Row]:
    """Play one consortium, after a first one that warms the server up."""
    with servers.parley(folder, upstream_port) as parley:
        _play(parley, 1)
        took, completed = _play(parley, rounds)
    if not completed or len(took) != rounds:
        yield failed(WHAT, f"the turn ended after {len(took)} of {rounds} rounds")
        return
    ratio = median(took) / MODELS_S
    figure = f"{ratio:.3f}× (median of {rounds}; the slowest {max(took) / MODELS_S:.3f}×)"
    yield judged(WHAT, figure, (ratio,), must=(1.03,), unit="×")


def _play(parley: Process, rounds: int) -> tuple[list[float], bool]:
    """Return the seconds of each round of one turn, as its reader sees them, and whether the turn was completed."""
    brief = {"max_iterations": rounds}
    asked = {"mode": "consortium", "prompt": PROMPT, "seats": SEATS, "brief": brief}
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    connection = HTTPConnection("127.0.0.1", parley.port, timeout=60)
    connection.request("POST", "/api/sessions", msgspec.json.encode(asked), headers)
    marks: list[float] = []
    completed = False
    for line in connection.getresponse():
        if line.startswith(b"data:"):
            kind = msgspec.json.decode(line[5:])["kind"]
            completed = completed or kind == "turn.completed"
            if completed or kind == "round.started":
                marks.append(time.monotonic())
    connection.close()
    return [after - before for before, after in pairwise(marks)], completed
