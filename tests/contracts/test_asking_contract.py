"""One contract for what may be asked besides words: a connector sends it in its dialect's words, or refuses in ours."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from parley.connectors.demo import DemoConnector
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish
from parley.kernel.errors import Rejected
from parley.kernel.messages import FilePart, ImagePart, Message, TextPart, ToolCall
from parley.kernel.models import Provider
from parley.kernel.options import Tool
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import ScriptedUpstream

HELLO = (Message("user", "What is a p-value?"),)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"winner": {"enum": ["a", "b"]}},
    "required": ["winner"],
    "additionalProperties": False,
}

IMAGE = ImagePart("1" * 64, "image/png")
FILE = FilePart("2" * 64, "application/pdf", "naïve \ud83d.pdf")
CLOCK = Tool(name="clock", description="Tells the time.", parameters={"type": "object", "properties": {}})
ATTACHED = {IMAGE.sha256: b"\x89PNG", FILE.sha256: b"%PDF"}


@dataclass
class Http:
    """The connector of OpenAI's dialect, before a server that records what it is sent."""

    connector: Connector
    upstream: ScriptedUpstream

    async def sends(self, **asked: object) -> dict[str, object]:
        """Ask, and return what the request says besides what every request says."""
        await heard(self.connector, **asked)
        sent = dict(self.upstream.requests[-1].json)
        for name in ("model", "stream", "stream_options"):
            del sent[name]
        return sent


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    async with ScriptedUpstream() as upstream:
        client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
        connector = OpenAIConnector(Provider("http", "openai", upstream.url), client)
        yield Http(connector, upstream)
        await connector.close()
        await client.close()


@pytest.fixture
async def demo() -> AsyncIterator[Connector]:
    connector = DemoConnector(Provider("demo", "demo", "demo://?speed=10000"))
    yield connector
    await connector.close()


async def heard(connector: Connector, **asked: object) -> list[Chunk]:
    model = "demo-tilo" if isinstance(connector, DemoConnector) else "m"
    request = ChatRequest(**{"model": model, "messages": HELLO, **asked})
    return [chunk async for chunk in connector.stream(request)]


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta))


# ── options ──────────────────────────────────────────────────────────────────────────────────────


async def test_openai_s_dialect_says_nothing_of_what_was_not_asked_for(http: Http) -> None:
    assert await http.sends() == {"messages": [{"role": "user", "content": "What is a p-value?"}]}


async def test_openai_s_dialect_carries_every_option(http: Http) -> None:
    sent = await http.sends(temperature=0.0, max_output_tokens=9, seed=0, json_schema=SCHEMA)
    del sent["messages"]
    assert sent == {
        "temperature": 0.0,
        "max_tokens": 9,
        "seed": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
        },
    }


async def test_a_server_that_refuses_an_option_is_heard_in_words(http: Http) -> None:
    http.upstream.fail(400, "Invalid schema for response_format 'answer'")
    with pytest.raises(Rejected) as caught:
        await heard(http.connector, json_schema=SCHEMA)
    assert "Invalid schema" in (caught.value.detail or "")


async def test_the_demo_keeps_the_limit_and_answers_alike_at_every_temperature_and_seed(
    demo: Connector,
) -> None:
    short = await heard(demo, max_output_tokens=5)
    assert any(chunk == Finish("length") for chunk in short)
    plain = text_of(await heard(demo))
    assert plain.startswith(text_of(short))
    assert text_of(await heard(demo, temperature=2.0, seed=7)) == plain


async def test_the_demo_says_that_it_cannot_look_at_a_picture(demo: Connector) -> None:
    assert "can't read it" in text_of(await heard(demo, messages=(Message("user", (IMAGE,)),)))


@pytest.mark.parametrize("asked", [{"json_schema": SCHEMA}])
async def test_the_demo_refuses_in_words_what_is_not_text(demo: Connector, asked: dict[str, object]) -> None:
    with pytest.raises(Rejected) as caught:
        await heard(demo, **asked)
    assert (caught.value.leaf_code, caught.value.title[-1]) == ("upstream_text_only", ".")


# ── parts ────────────────────────────────────────────────────────────────────────────────────────


async def test_openai_s_dialect_carries_texts_pictures_and_files(http: Http) -> None:
    parts = (TextPart("What is this? \ud83d"), IMAGE, FILE, IMAGE)
    sent = await http.sends(
        messages=(Message("system", "Be brief. \ud83d"), Message("user", parts)), attached=ATTACHED
    )
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
    assert sent == {
        "messages": [
            {"role": "system", "content": "Be brief. \ufffd"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is this? \ufffd"},
                    picture,
                    {
                        "type": "file",
                        "file": {
                            "filename": "naïve \ufffd.pdf",
                            "file_data": "data:application/pdf;base64,JVBERg==",
                        },
                    },
                    picture,
                ],
            },
        ]
    }


async def test_the_demo_answers_texts_in_parts_as_it_answers_one_text(demo: Connector) -> None:
    parted = (Message("user", (TextPart("What is"), TextPart("a p-value?"))),)
    joined = (Message("user", "What is\n\na p-value?"),)
    answers = [text_of(await heard(demo, messages=said)) for said in (parted, joined)]
    assert answers[0] == answers[1]


# ── tools ────────────────────────────────────────────────────────────────────────────────────────


async def test_openai_s_dialect_carries_tools_calls_and_results(http: Http) -> None:
    call = ToolCall(0, "c1", "clock", '{"zone":"UTC"}')
    sent = await http.sends(
        messages=(
            Message("user", "What time is it?"),
            Message("assistant", "", tool_calls=(call,)),
            Message("tool", "noon", tool_call_id="c1"),
        ),
        tools=(CLOCK,),
    )
    assert sent == {
        "messages": [
            {"role": "user", "content": "What time is it?"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "clock", "arguments": '{"zone":"UTC"}'},
                    }
                ],
            },
            {"role": "tool", "content": "noon", "tool_call_id": "c1"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "clock",
                    "description": "Tells the time.",
                    "parameters": {"type": "object", "properties": {}},
                },
            }
        ],
    }
