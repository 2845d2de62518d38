"""Tests of the connectors that draw, against scripted servers with faults."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

import msgspec
import pytest

from parley.connectors.a1111 import A1111Connector
from parley.connectors.a1111 import connector as a1111
from parley.connectors.anyllm import make_connector
from parley.connectors.comfyui import ComfyUIConnector
from parley.connectors.comfyui import connector as comfyui
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import Chunk, DrawsImages, Finish, Made, Progress
from parley.kernel.errors import Garbled, Rejected, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest, PictureSettings
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.drawing_servers import A1111, ComfyUI, DrawingServer, in_json, png
from tests.fakes.extras import needs

JOB = "0123456789abcdef0123456789abcdef"
EARLIER = "fedcba9876543210fedcba9876543210"


def asked(**fields: Any) -> DrawRequest:
    whole = {"model": "dream", "prompt": "A fox.", "settings": PictureSettings(), "job": JOB, **fields}
    return DrawRequest(**whole)


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    http = HttpClient(WireOptions(allow_loopback=True))
    yield http
    await http.close()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(a1111, "POLL_S", 0.01)
    monkeypatch.setattr(comfyui, "POLL_S", 0.01)


async def drawn(connector: DrawsImages, request: DrawRequest) -> list[Chunk]:
    async with asyncio.timeout(20):
        return [chunk async for chunk in connector.draw(request)]


def pictures(chunks: list[Chunk]) -> list[bytes]:
    return [chunk.data for chunk in chunks if isinstance(chunk, Made)]


async def test_webui_tells_its_progress_and_takes_the_settings(client: HttpClient) -> None:
    async with A1111() as server:
        connector = A1111Connector(Provider("p", "a1111", f"{server.url}/v1"), client)
        server.at("/sdapi/v1/progress", 2, server.finish.set)
        settings = PictureSettings(width=512, height=768, seed=7, steps=20, negative_prompt="text")
        chunks = await drawn(connector, asked(settings=settings))
        (body,) = server.posts("/sdapi/v1/txt2img")
        assert await connector.list_models() == ["dream.safetensors [abc]"]
    assert Progress(share=0.4, step=8, steps=20, left_s=6.2) in chunks
    assert pictures(chunks) == [png()]
    assert Finish("stop") in chunks
    assert {"width": 512, "height": 768, "seed": 7, "steps": 20}.items() <= body.items()
    assert (body["negative_prompt"], body["prompt"]) == ("text", "A fox.")


async def test_a_stopped_picture_is_interrupted_at_webui(client: HttpClient) -> None:
    async with A1111() as server:
        connector = A1111Connector(Provider("p", "a1111", server.url), client)
        async with aclosing(cast("Any", connector.draw(asked()))) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Progress):
                    break
        await connector.close()
        assert "/sdapi/v1/interrupt" in server.asked


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (in_json({"detail": "out of memory"}, 500), UpstreamError),
        (in_json({"images": []}), Garbled),
        (in_json({"images": ["%%%"]}), Garbled),
        ((200, b"<html>", "text/html"), Garbled),
    ],
)
async def test_a_fault_of_webui_is_reported_in_words(
    client: HttpClient, refusal: tuple[int, bytes, str], kind: type[Exception]
) -> None:
    async with A1111() as server:
        server.refusal = refusal
        with pytest.raises(kind):
            await drawn(A1111Connector(Provider("p", "a1111", server.url), client), asked())


async def test_comfyui_tells_the_place_in_its_queue_and_draws(client: HttpClient) -> None:
    async with ComfyUI() as server:
        server.pending = ["other", "another"]
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        server.at("/queue", 3, server.finish_all)
        chunks = await drawn(connector, asked(settings=PictureSettings(seed=3)))
        (body,) = server.posts("/prompt")
        assert await connector.list_models() == ["dream.safetensors", "flux.safetensors"]
    assert Progress(ahead=2) in chunks
    assert len(pictures(chunks)) == 1
    assert body["prompt"]["3"]["inputs"]["seed"] == 3


async def test_comfyui_tells_steps_and_previews_over_a_websocket(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comfyui, "EVENTS_LOOK_S", 60.0)
    async with ComfyUI() as server:
        server.talks = True
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        seen: list[Chunk] = []
        async with asyncio.timeout(20):
            async for chunk in connector.draw(asked()):
                seen.append(chunk)
                if len(seen) == 1:
                    server.outgoing.put_nowait("no JSON")
                    server.tell("progress", prompt_id="another's", value=9, max=25)
                    server.tell("progress", value=5, max=25, node="3")
                elif isinstance(chunk, Progress) and chunk.step == 5 and chunk.preview is None:
                    server.outgoing.put_nowait((1).to_bytes(4) + (2).to_bytes(4) + png())
                elif isinstance(chunk, Progress) and chunk.preview is not None:
                    server.tell("progress", value=10, max=25, node="3")
                elif isinstance(chunk, Progress) and chunk.step == 10:
                    server.tell("executing", node=None)
                    server.finish_all()
        assert server.asked.count(f"/ws?clientId={'01234567-89ab-cdef-0123-456789abcdef'}") == 1
    steps = [(each.step, each.steps, each.share) for each in seen if isinstance(each, Progress) and each.step]
    assert steps == [(5, 25, 0.2), (5, 25, 0.2), (10, 25, 0.4)]
    assert any(isinstance(each, Progress) and each.preview == png() for each in seen)
    assert len(pictures(seen)) == 1, "its end was sent: it is not looked at for another minute"


async def test_comfyui_whose_websocket_ends_is_looked_at_again(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comfyui, "EVENTS_LOOK_S", 0.05)
    async with ComfyUI() as server:
        server.talks = True
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        made = 0
        async with asyncio.timeout(20):
            async for chunk in connector.draw(asked()):
                made += isinstance(chunk, Made)
                if chunk == Progress():
                    server.tell("progress", value=5, max=25)
                elif isinstance(chunk, Progress) and chunk.step == 5:
                    server.outgoing.put_nowait(None)
                    server.finish_all()
        assert made == 1


async def test_a_stopped_job_interrupts_no_other(client: HttpClient) -> None:
    """Older servers interrupt whatever they draw: they are not told while this job still waits."""
    async with ComfyUI() as server:
        server.pending = ["other"]
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        async with aclosing(cast("Any", connector.draw(asked()))) as chunks:
            await anext(chunks)
        await connector.close()
        assert (server.pending, server.posts("/interrupt")) == (["other"], [])


async def test_comfyui_is_asked_once_for_a_job_that_it_knows(client: HttpClient) -> None:
    """After a crash of Parley the picture that was being drawn is picked up, not drawn again."""
    async with ComfyUI() as server:
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        job = "fedcba98-7654-3210-fedc-ba9876543210"
        server.pending = [job]
        server.finish_all()
        assert len(pictures(await drawn(connector, asked(earlier_job=EARLIER)))) == 1
        assert server.posts("/prompt") == []


async def test_comfyui_that_lost_a_job_is_reported_in_words(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comfyui, "LOST_S", 0.05)
    async with ComfyUI() as server:
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        server.at("/queue", 3, server.pending.clear)
        with pytest.raises(UpstreamError, match="lost this picture"):
            await drawn(connector, asked())


async def test_comfyui_says_why_it_failed_and_forgets_a_stopped_job(client: HttpClient) -> None:
    async with ComfyUI() as server:
        connector = ComfyUIConnector(Provider("p", "comfyui", server.url), client)
        server.at("/queue", 3, lambda: server.finish_all(why="no such checkpoint"))
        with pytest.raises(Rejected) as failure:
            await drawn(connector, asked())
        assert failure.value.detail == "no such checkpoint"
        async with aclosing(cast("Any", connector.draw(asked(job=EARLIER)))) as chunks:
            await anext(chunks)
        await connector.close()
        assert server.pending == []


async def openai(
    client: HttpClient, server: DrawingServer, answer: tuple[int, bytes, str] | None, **fields: Any
) -> list[Chunk]:
    async def draw(_path: str, _body: Any) -> tuple[int, bytes, str]:
        if answer is None:
            raise ConnectionError
        return answer

    server.routes["/v1/images/generations"] = draw
    connector = OpenAIConnector(Provider("p", "openai", f"{server.url}/v1", "k"), client)
    return await drawn(connector, asked(**fields))


async def test_openai_streams_previews_and_then_the_picture(client: HttpClient) -> None:
    lines = [
        {"type": "image_generation.partial_image", "b64_json": b64encode(b"half").decode()},
        {
            "type": "image_generation.completed",
            "b64_json": b64encode(b"whole").decode(),
            "usage": {"input_tokens": 9, "output_tokens": 1056},
        },
    ]
    body = "".join(f"data: {msgspec.json.encode(line).decode()}\n\n" for line in lines).encode()
    async with DrawingServer() as server:
        chunks = await openai(client, server, (200, body, "text/event-stream"), model="gpt-image-1")
        (sent,) = server.posts("/v1/images/generations")
    assert Progress(preview=b"half") in chunks
    assert pictures(chunks) == [b"whole"]
    assert (sent["stream"], sent["partial_images"]) == (True, 2)


async def test_openai_is_not_asked_again_for_what_may_be_paid_for(client: HttpClient) -> None:
    async with DrawingServer() as server:
        with pytest.raises(Rejected, match="ended while") as failure:
            await openai(client, server, None, model="dall-e-3")
        assert failure.value.leaf_code == "picture_interrupted"
        with pytest.raises(Rejected, match="restarted"):
            await openai(client, server, in_json({"data": []}), earlier_job=EARLIER)
        assert len(server.posts("/v1/images/generations")) == 1


async def test_openai_draws_through_any_llm_too_and_is_asked_once(client: HttpClient) -> None:
    needs("any_llm", "anyllm")
    answers = [in_json({"created": 1, "data": [{"b64_json": b64encode(png()).decode()}]}), None]

    async def draw(_path: str, _body: Any) -> tuple[int, bytes, str]:
        if (answer := answers.pop(0)) is None:
            raise ConnectionError
        return answer

    async with DrawingServer() as server:
        server.routes["/v1/images/generations"] = draw
        connector = make_connector("openai", Provider("p", "x", f"{server.url}/v1", "k" * 20), client)
        assert isinstance(connector, DrawsImages)
        settings = PictureSettings(width=512, height=512)
        assert pictures(await drawn(connector, asked(model="dall-e-3", settings=settings))) == [png()]
        with pytest.raises(Rejected) as failure:
            await drawn(connector, asked(model="dall-e-3"))
        assert failure.value.leaf_code == "picture_interrupted"
        sent = server.posts("/v1/images/generations")
        assert len(sent) == 2
        assert {"model": "dall-e-3", "size": "512x512", "response_format": "b64_json"}.items() <= sent[
            0
        ].items()


async def test_a_provider_of_any_llm_that_draws_nothing_says_so(client: HttpClient) -> None:
    needs("any_llm", "anyllm")
    connector = make_connector("anthropic", Provider("p", "x", "http://127.0.0.1:9", "k" * 20), client)
    assert isinstance(connector, DrawsImages)
    with pytest.raises(Rejected, match="can't be asked for pictures"):
        await drawn(connector, asked())
