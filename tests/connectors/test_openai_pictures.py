"""Tests of pictures in answers, in the shape that OpenRouter uses."""

from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import pytest

from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Made
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import ScriptedUpstream, delta

CAT = b"\x89PNG a cat"
REQUEST = ChatRequest(model="m", messages=(Message("user", "Draw a cat."),))
DRAWS = ChatRequest(model="m", messages=REQUEST.messages, pictures=True)


def picture(data: bytes = CAT, start: str = "data:image/png;base64,") -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"{start}{b64encode(data).decode()}"}}


@pytest.fixture
async def up() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


async def answer(up: ScriptedUpstream, request: ChatRequest = REQUEST) -> list[Chunk]:
    """Ask the server; return all chunks but the usage. Raises UpstreamError, with the chunks so far as notes."""
    client = HttpClient(WireOptions(allow_loopback=True))
    chunks: list[Chunk] = []
    try:
        async for chunk in OpenAIConnector(Provider("p", "openai", up.url, "k"), client).stream(request):
            chunks.append(chunk)  # noqa: PERF401 - what came before an error is wanted
    except UpstreamError as error:
        error.add_note(str(chunks))
        raise
    finally:
        await client.close()
    return [chunk for chunk in chunks if isinstance(chunk, Delta | Made | Finish)]


async def test_a_picture_comes_between_the_words_where_it_was_sent(up: ScriptedUpstream) -> None:
    up.stream(
        delta("Look: "),
        delta("", images=[picture()]),
        delta("a cat."),
        delta(images=[{"image_url": picture()["image_url"]["url"]}], finish="stop"),
        "[DONE]",
    )
    expected = [Delta("text", "Look: "), Made(CAT), Delta("text", "a cat."), Made(CAT), Finish("stop")]
    assert await answer(up) == expected


async def test_an_answer_in_one_document_has_its_pictures_too(up: ScriptedUpstream) -> None:
    message = {"role": "assistant", "content": "A cat.", "images": [picture()]}
    up.answer({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    assert await answer(up) == [Delta("text", "A cat."), Made(CAT), Finish("stop")]


async def test_a_picture_of_several_megabytes_arrives_from_a_model_that_makes_pictures(
    up: ScriptedUpstream,
) -> None:
    large = bytes(range(256)) * 16_000
    up.stream(delta(images=[picture(large)]), delta(finish="stop"), "[DONE]")
    assert await answer(up, DRAWS) == [Made(large), Finish("stop")]


@pytest.mark.parametrize(
    "broken",
    [
        {"image_url": {"url": "https://pictures.example/cat.png"}},
        {"image_url": {"url": "data:image/png;base64,?"}},
        {"image_url": {"url": "data:image/png;base64,"}},
        {"image_url": {"url": "data:text/html;base64,aGk="}},
        {"image_url": None},
    ],
    ids=repr,
)
async def test_a_picture_that_cannot_be_read_is_an_error_in_words_after_the_text(
    up: ScriptedUpstream, broken: dict[str, Any]
) -> None:
    up.stream(delta("Look: "), delta(images=[broken]), delta("more", finish="stop"), "[DONE]")
    with pytest.raises(UpstreamError, match="sent a picture that can't be read") as caught:
        await answer(up)
    assert caught.value.leaf_code == "upstream_garbled"
    assert "Look: " in caught.value.__notes__[0]


async def test_only_a_model_that_makes_pictures_is_asked_for_them(up: ScriptedUpstream) -> None:
    for request in (DRAWS, REQUEST):
        await answer(up, request)
    assert [asked.json.get("modalities") for asked in up.requests] == [["image", "text"], None]
