"""How a connector's answers are read, and what of them is found wrong."""

import pytest

from parley.connectors.demo import DemoConnector
from parley.kernel.connector import Chunk, Delta, Finish, Usage
from parley.kernel.errors import Rejected
from parley.kernel.messages import ToolCall
from parley.kernel.models import Provider
from parley.kernel.options import AskOptions
from parley.testing import BREAK, CannedConnector, read_answer


async def test_an_answer_is_read_whole() -> None:
    connector = CannedConnector()
    call = ToolCall(0, "1", "clock", "{}")
    connector.says("m", Delta("reasoning", "Hm."), "It ", "is.", call, Finish("stop"), Usage(1, 2))
    answer = await read_answer(connector, "m", "Is it?", options=AskOptions(temperature=0.5))
    assert (answer.reasoning, answer.text, answer.pieces) == ("Hm.", "It is.", ["Hm.", "It ", "is."])
    assert (answer.tool_calls, answer.finish, answer.usage) == ([call], "stop", Usage(1, 2))
    assert (connector.heard("m"), connector.requests[0].temperature) == (["user: Is it?"], 0.5)


@pytest.mark.parametrize(
    "wrong", [("",), ("Done.", Finish("stop"), "More."), (Finish("stop"), Finish("stop"))]
)
async def test_chunks_out_of_order_are_found(wrong: tuple[str | Chunk, ...]) -> None:
    connector = CannedConnector()
    connector.says("m", *wrong)
    with pytest.raises(AssertionError):
        await read_answer(connector, "m", "Is it?")


async def test_a_stream_that_broke_off_has_no_finish() -> None:
    connector = CannedConnector()
    connector.says("m", "Half", BREAK)
    answer = await read_answer(connector, "m", "Is it?")
    assert (answer.text, answer.finish) == ("Half", None)


async def test_a_real_connector_answers_and_refuses() -> None:
    connector = DemoConnector(Provider("demo", "demo", "demo://?speed=100000"))
    answer = await read_answer(connector, "demo-pico", "What is 12 * 12?")
    assert "144" in answer.text
    with pytest.raises(Rejected):
        await read_answer(connector, "nobody", "Hello")
