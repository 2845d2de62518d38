"""Tests of how the campaign of limits reads the ends of calls."""

import pytest

from prove.campaigns.limits_hold import ended
from prove.wires import Answer

JSON, STREAM = "application/json", "text/event-stream; charset=utf-8"


@pytest.mark.parametrize(
    ("status", "kind", "body", "end"),
    [
        (200, JSON, b'{"choices":[]}', 200),
        (429, JSON, b'{"error":{"code":"insufficient_quota"}}', 429),
        (200, STREAM, b'data: {"choices":[]}\n\n: x-parley-cost: 0.1\n\ndata: [DONE]\n\n', 200),
        (200, STREAM, b': \n\n: \n\ndata: {"error":{"code":"insufficient_quota"}}\n\n', 429),
        (200, STREAM, b'data: {"error":{"code":"database_busy"}}\n\n', 503),
        (200, STREAM, b'data: {"error":{"code":null}}\n\n', 500),
        (200, STREAM, b'data: {"choices":[]}\n\n', 500),
        (200, STREAM, b": \n\n", 500),
        (200, STREAM, b"", 500),
    ],
)
def test_a_stream_that_opened_before_it_was_refused_is_no_answer(
    status: int, kind: str, body: bytes, end: int
) -> None:
    assert ended(Answer(status, {"content-type": kind}, body)) == end
