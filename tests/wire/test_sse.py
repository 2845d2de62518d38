"""The SSE decoder against the standard, cut at every byte."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.kernel.errors import Garbled
from parley.wire.sse import SseDecoder

CASES: dict[str, tuple[bytes, list[bytes]]] = {
    "the usual": (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
    "CRLF": (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
    "CR alone": (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
    "line ends mixed": (b"data: a\r\n\ndata: b\n\rdata: c\r\r\n", [b"a", b"b", b"c"]),
    "a byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "a byte order mark later is content": (b"data: a\n\ndata: \xef\xbb\xbfb\n\n", [b"a", b"\xef\xbb\xbfb"]),
    "comments": (b": hello\n\n:\ndata: a\n: in between\n\n", [b"a"]),
    "several data lines": (b"data: a\ndata: b\ndata:\n\n", [b"a\nb\n"]),
    "no space after the colon": (b"data:a\n\ndata:  b\n\n", [b"a", b" b"]),
    "a field without a colon": (b"data\n\ndata: a\nfoo\n\n", [b"", b"a"]),
    "other fields": (b"id: 1\nretry: 5\nevent: message\ndata: a\n\n", [b"a"]),
    "an event without data": (b"event: ping\n\ndata: a\n\n", [b"a"]),
    "an event cut off by the end": (b"data: a\n\ndata: b\n", [b"a"]),
    "[DONE] within a text": (b'data: {"t":"[DONE]"}\n\ndata: [DONE]\n\n', [b'{"t":"[DONE]"}', b"[DONE]"]),
    "characters of several bytes": ("data: naïve 日本 🜁\n\n".encode(), ["naïve 日本 🜁".encode()]),
    "bytes that are not UTF-8": (b"data: \xff\xfe\x00\n\n", [b"\xff\xfe\x00"]),
    "many blank lines": (b"\n\n\ndata: a\n\n\n\n", [b"a"]),
}


@pytest.mark.parametrize(("stream", "payloads"), CASES.values(), ids=CASES.keys())
def test_a_stream_is_decoded_the_same_wherever_it_is_cut(stream: bytes, payloads: list[bytes]) -> None:
    whole = SseDecoder().feed(stream)
    assert whole == payloads
    for size in range(1, len(stream)):
        decoder = SseDecoder()
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert [payload for piece in pieces for payload in decoder.feed(piece)] == payloads, (
            f"in pieces of {size}"
        )
    for cut in range(len(stream) + 1):
        decoder = SseDecoder()
        assert decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]) == payloads, f"cut at {cut}"


LINES = st.sampled_from(
    [b"data: x", b"data:", b"data: {}", b": c", b"event: e", b"", b"", b"id", b"data: \xe2\x82\xac"]
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])


@given(st.lists(st.tuples(LINES, ENDS), max_size=12), st.lists(st.integers(0, 200), max_size=6))
def test_any_stream_is_decoded_the_same_in_any_packets(
    parts: list[tuple[bytes, bytes]], cuts: list[int]
) -> None:
    stream = b"".join(line + end for line, end in parts)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    decoder = SseDecoder()
    cut = [payload for a, b in pairwise(places) for payload in decoder.feed(stream[a:b])]
    assert cut == SseDecoder().feed(stream)


def test_an_error_event_ends_the_stream() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: a\n\nevent: error\ndata: broken\n\ndata: b\n\n") == [b"a"]
    assert decoder.error == b"broken"
    assert decoder.feed(b"data: c\n\n") == []


def feed_many(decoder: SseDecoder, packet: bytes, times: int) -> None:
    for _ in range(times):
        decoder.feed(packet)


@pytest.mark.parametrize("packet", [1, 7, 1000], ids="packets of {}".format)
def test_a_line_that_never_ends_is_refused(packet: int) -> None:
    decoder = SseDecoder(max_line_bytes=1000)
    with pytest.raises(Garbled):
        feed_many(decoder, b"x" * packet, 3000 // packet)


def test_data_lines_that_never_end_are_refused() -> None:
    decoder = SseDecoder(max_line_bytes=1000)
    with pytest.raises(Garbled):
        feed_many(decoder, b"data: 12345678\n", 300)


def test_a_line_of_the_greatest_length_is_accepted() -> None:
    decoder = SseDecoder(max_line_bytes=1000)
    assert decoder.feed(b"data: " + b"x" * 994 + b"\n\n") == [b"x" * 994]


def test_one_byte_packets_of_a_long_line_take_no_quadratic_time() -> None:
    decoder = SseDecoder()
    decoder.feed(b"data: ")
    for _ in range(200_000):
        decoder.feed(b"x")
    assert decoder.feed(b"\n\n") == [b"x" * 200_000]
