"""Tests of the model `auto` at the door: who answers, the receipt, long conversations, and keys."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import openai
import pytest

from parley.engine.gateway import Gateway
from parley.features.openai_api.auto_model import ChatFields, question_of
from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

pytestmark = pytest.mark.databases("sqlite")

MODELS = (ModelSpec("ada"), ModelSpec("bob", capabilities=("text", "tools")))
ADD = {"type": "function", "function": {"name": "add", "description": "Adds two numbers", "parameters": {}}}


def asked(*texts: str, **more: Any) -> dict[str, Any]:
    """Return a request whose messages are in turn the user's and the assistant's."""
    messages = [
        {"role": ("user", "assistant")[number % 2], "content": text} for number, text in enumerate(texts)
    ]
    return {"model": "auto", "messages": messages, **more}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("translated", [False, True])
async def test_a_request_with_tools_goes_to_a_model_that_calls_them_and_says_why(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch, *, translated: bool, stream: bool
):
    if translated:
        monkeypatch.setattr(Gateway, "passes_on", lambda *_: False)
    answer = await parley.client.post("/v1/chat/completions", json=asked("Hello", tools=[ADD], stream=stream))
    assert (answer.status_code, answer.headers["x-parley-model"]) == (200, "bob")
    receipt = msgspec.json.decode(answer.headers["x-parley-auto"])
    assert (receipt["model"], receipt["kind"]) == ("bob", "chat")
    assert "1 of 2 models can" in receipt["because"]
    (sent,) = parley.upstream.chats
    assert (sent.json["model"], sent.json["messages"]) == ("bob", [{"role": "user", "content": "Hello"}])


async def test_openais_client_lists_auto_and_is_answered_in_every_shape(parley: RunningParley):
    async with openai.AsyncOpenAI(base_url=f"{parley.base_url}/v1", api_key="any") as client:
        assert "auto" in [model.id async for model in client.models.list()]
        assert (await client.models.retrieve("auto")).owned_by == "parley"
        answer = await client.responses.create(model="auto", input="Hello", store=False)
        assert answer.model in ("ada", "bob")
    body = {"model": "auto", "max_tokens": 20, "messages": asked("Hello")["messages"]}
    message = await parley.client.post("/v1/messages", json=body)
    assert message.json()["model"] == message.headers["x-parley-model"]
    assert "x-parley-auto" in message.headers
    named = await parley.client.post("/v1/chat/completions", json=asked("Hello") | {"model": "ada"})
    assert "x-parley-auto" not in named.headers


async def test_a_conversation_keeps_to_the_model_of_its_first_question(parley: RunningParley):
    first = await parley.client.post("/v1/chat/completions", json=asked("Write a poem about rain"))
    again = asked("Write a poem about rain", "Drip.", "Now prove that 2 is prime")
    second = await parley.client.post("/v1/chat/completions", json=again)
    assert first.headers["x-parley-model"] == second.headers["x-parley-model"]
    assert "it answered before in this conversation" in second.headers["x-parley-auto"]


async def test_what_no_model_can_do_is_refused_and_nothing_is_sent(parley: RunningParley):
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    body = {"model": "auto", "messages": [{"role": "user", "content": [picture]}]}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["param"]) == (400, "no_model_fits", "model")
    assert "Can’t read pictures" in error["message"]
    assert not parley.upstream.chats


async def test_a_receipt_takes_words_of_any_language(parley: RunningParley):
    tool = {"type": "function", "function": {"name": "wetter", "description": "übermorgen \U0001f327 天気"}}
    question = "übermorgen wetter? Look it up"
    answer = await parley.client.post("/v1/chat/completions", json=asked(question, tools=[tool]))
    assert "übermorgen" in msgspec.json.decode(answer.headers["x-parley-auto"])["because"][0]


async def test_a_key_leaves_auto_only_the_models_that_it_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path, models=MODELS) as shared:
        key = await shared.administrator.send("POST", "/api/me/keys", {"name": "k", "models": ["ada"]})
        headers = {"Authorization": f"Bearer {key['secret']}"}
        visitor = shared.parley.visitor()
        hello = await visitor.post("/v1/chat/completions", json=asked("Hello"), headers=headers)
        tools = await visitor.post("/v1/chat/completions", json=asked("Hello", tools=[ADD]), headers=headers)
    assert (hello.status_code, hello.headers["x-parley-model"]) == (200, "ada")
    assert (tools.status_code, tools.json()["error"]["code"]) == (400, "no_model_fits")


def test_a_question_is_read_from_texts_parts_pictures_and_wishes():
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": parts},
        {"role": "assistant", "content": None},
    ]
    body = {"messages": messages, "response_format": {"type": "json_schema"}, "tools": [ADD]}
    fields = msgspec.convert(body, ChatFields)
    question = question_of(fields, fields.messages)
    assert (question.text, question.picture, question.json, question.tools) == (
        "What is this?",
        True,
        True,
        True,
    )
    assert question.tokens == len("Be brief.What is this?") // 4
