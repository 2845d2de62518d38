"""Tool calls come in pieces: what is kept of them is bounded, and what comes out can be written down."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.chunks import WireFunction, WireToolCall
from parley.connectors.openai.surrogates import SurrogateJoiner
from parley.connectors.openai.tool_calls import ToolCallAssembler
from parley.kernel.messages import ToolCall

PIECES: dict[str, Callable[[int], dict[str, Any]]] = {
    "a new index each": lambda n: {"index": n},
    "a new id each": lambda n: {"id": f"call-{n}"},
    "a new id each for one call": lambda n: {"index": 0, "id": f"call-{n}"},
    "nothing at all": lambda n: {},
    "a letter each": lambda n: {"index": 0, "function": {"arguments": "x"}},
    "an empty object each": lambda n: {"index": 0, "function": {"arguments": {}}},
    "long names": lambda n: {"index": n, "function": {"name": "name" * 100}},
}
ENDLESS = {"a new index each", "a new id each", "an empty object each", "long names"}


def line_of(pieces: list[dict[str, Any]], **choice: Any) -> bytes:
    return msgspec.json.encode({"choices": [{"index": 0, "delta": {"tool_calls": pieces}, **choice}]})


@pytest.mark.parametrize("kind", PIECES)
def test_what_is_kept_of_the_pieces_is_bounded(kind: str) -> None:
    lines = [line_of([PIECES[kind](first + n) for n in range(500)]) for first in range(0, 60_000, 500)]
    reader = AnswerReader(100_000)
    tracemalloc.start()
    began = time.process_time()
    for line in lines:
        reader.feed(line)
    took, (kept, _) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000
    assert took < 5
    assert (reader.error is not None) == (kind in ENDLESS)


def test_an_id_or_a_name_in_every_piece_costs_nothing() -> None:
    tools = ToolCallAssembler()
    first = tools.take(WireToolCall(0, "call-1", WireFunction("look_up", '{"a":')))
    later = tools.take(WireToolCall(0, "call-1", WireFunction("look_up", "1}")))
    assert later == 2 < first
    assert tools.calls() == [ToolCall(0, "call-1", "look_up", '{"a":1}')]


def test_calls_without_an_index_are_distinguished_by_their_ids() -> None:
    tools = ToolCallAssembler()
    for call_id, arguments in (("a", "1"), (None, "2"), ("b", "3"), ("a", "4"), ("b", "5"), (None, "6")):
        tools.take(WireToolCall(None, call_id, WireFunction("f", arguments)))
    assert [(call.id, call.arguments) for call in tools.calls()] == [("a", "124"), ("b", "356")]


@pytest.mark.parametrize(
    "arguments", [rb'"{\"a\":\"\ud83d\ude00\ud83d\"}"', rb'{"a":"\ud83d"}', b'"\xff\xfe"']
)
def test_what_comes_out_can_be_written_down(arguments: bytes) -> None:
    reader = AnswerReader(1000)
    reader.feed(
        rb'{"choices":[{"index":0,"finish_reason":"tool_calls","delta":{"tool_calls":[{"index":0,"id":"\udead",'
        rb'"function":{"name":"f\u0000\ud800","arguments":%b}}]}}]}' % arguments
    )
    call = next(chunk for chunk in reader.end() if isinstance(chunk, ToolCall))
    assert "\x00" not in call.name
    assert msgspec.json.encode((call.id, call.name, call.arguments))


def test_half_a_character_before_a_line_break_does_not_hold_the_line_back() -> None:
    joiner = SurrogateJoiner()
    assert joiner.feed("x\ud83d\n") + joiner.end() == "x\ufffd\n"
