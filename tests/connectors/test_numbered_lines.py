"""Answers as numbered lines: however a log arrives, what is read is what was said, or less."""

import random

import pytest

from parley.connectors.kubernetes.numbered import PIECE, AnswerReader, AnswerWriter, End, Heard
from parley.kernel.connector import Chunk, Delta, Finish, Made, Usage
from parley.kernel.errors import Overloaded, Rejected, Unavailable, UpstreamError
from parley.kernel.messages import ToolCall

ANSWER: list[Chunk] = [
    Delta("reasoning", "Let me see"),
    Delta("text", "a line\u2028or two\x85\r\n"),
    Delta("text", '\x1b[31m "🎵"\\'),
    *(Delta("text", f"word {number} ") for number in range(30)),
    Made(b"\x89PNG\r\n" * 2000, "a.png"),
    ToolCall(0, "1", "add", "{}"),
    Finish("stop"),
    Usage(7, 30, cached_tokens=2),
]


def lines_of(*chunks: Chunk, call: str = "call") -> list[str]:
    lines: list[str] = []
    writer = AnswerWriter(call, lines.append)
    for chunk in chunks:
        writer.chunk(chunk)
    writer.end()
    return lines


def heard(lines: list[str], call: str = "call") -> list[Heard]:
    reader = AnswerReader(call)
    return [each for line in lines for each in reader.take(line)]


def test_every_kind_of_chunk_comes_back() -> None:
    lines = lines_of(*ANSWER)
    assert heard(lines) == [*ANSWER, End()]
    assert all(line.isascii() and line.isprintable() for line in lines), "no reader takes a part for a line"
    assert len(lines) > len(ANSWER) + 1, "the picture is in pieces"
    assert max(map(len, lines)) < 2 * PIECE + 100


@pytest.mark.parametrize("seed", range(40))
def test_cut_doubled_reordered_and_torn_lines_change_nothing(seed: int) -> None:
    chance = random.Random(seed)
    lines, arrived = lines_of(*ANSWER), list[str]()
    reader, read = AnswerReader("call"), list[Heard]()
    while reader.next < len(lines):
        start = max(0, reader.next - chance.randrange(4))
        window = lines[start : start + chance.randrange(1, 9)] * chance.choice((1, 1, 2))
        if chance.random() < 0.5:
            chance.shuffle(window)
        torn = chance.choice(window)
        window.insert(chance.randrange(len(window)), torn[: chance.randrange(len(torn))])
        window.insert(0, torn + chance.choice(lines))
        arrived += window
        read += [each for line in window for each in reader.take(line)]
        assert read == [*ANSWER, End()][: len(read)], "never anything but the beginning of what was said"
    assert read == [*ANSWER, End()]
    assert len(arrived) > len(lines)


def test_what_is_no_line_of_this_call_adds_nothing() -> None:
    [mine, *_] = lines_of(Delta("text", "mine"))
    [other, *_] = lines_of(Delta("text", "other"), call="another")
    changed = mine.replace("mine", "hers")
    assert heard([other, changed, "WARNING: a library", "{}", '{"n": 0}', "", "\udc80", mine]) == [
        Delta("text", "mine")
    ]


def test_a_missing_line_holds_back_all_later_ones() -> None:
    first, second, *rest = lines_of(Delta("text", "a"), Delta("text", "b"), Delta("text", "c"))
    reader = AnswerReader("call")
    assert [reader.take(line) for line in (first, *rest)] == [[Delta("text", "a")], [], []]
    assert reader.has_gap
    assert reader.take(second) == [Delta("text", "b"), Delta("text", "c"), End()]
    assert not reader.has_gap


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Overloaded("busy", "wait", retry_after_s=3), Overloaded),
        (Rejected("no", code="bad_key"), Rejected),
        (type("Stalled", (UpstreamError,), {})("slow", code="upstream_stalled"), UpstreamError),
        (Unavailable("not now", code="x"), Rejected),
    ],
)
def test_an_error_comes_back_as_its_kind(error: UpstreamError, kind: type[UpstreamError]) -> None:
    lines: list[str] = []
    AnswerWriter("call", lines.append).error(error)
    [back] = heard(lines)
    assert type(back) is kind
    assert isinstance(back, UpstreamError)
    assert back.problem == error.problem
    assert back.retry_after_s == getattr(error, "retry_after_s", None)
