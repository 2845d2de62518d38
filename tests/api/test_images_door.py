"""Tests of pictures at the door with OpenAI's own client: answers, streams, prices, keys, limits and the library."""

import base64
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import openai
import pytest

from parley.connectors.a1111 import connector as a1111
from tests.fakes.drawing_servers import A1111, DrawingServer, png
from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import RunningParley, a_running_parley

pytestmark = pytest.mark.databases("sqlite")

FOX: dict[str, Any] = {"model": "ada", "prompt": "A fox in snow."}


def model_list(url: str, connector: str = "a1111", model: str = "dream") -> bytes:
    """Return a model that draws, and one that answers with texts as well."""
    provider = {"id": "near", "connector": connector, "base_url": url}
    models = [
        {
            "id": name,
            "routes": [{"provider": "near", "model": model}],
            "capabilities": capabilities,
            "prices": {"input": 0, "output": 0, "image": 0.04},
        }
        for name, capabilities in (("ada", ["images"]), ("bob", ["text", "images"]))
    ]
    return msgspec.json.encode({"providers": [provider], "models": models})


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[A1111]:
    monkeypatch.setattr(a1111, "POLL_S", 0.02)
    async with A1111() as server:
        server.finish.set()
        yield server


@pytest.fixture
async def parley(server: A1111, tmp_path: Path) -> AsyncGenerator[RunningParley]:
    models = tmp_path / "models.yaml"
    models.write_bytes(model_list(server.url))
    async with a_running_parley(tmp_path, models_file=models) as running:
        yield running


def client_of(parley: RunningParley, key: str = "any") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{parley.base_url}/v1", api_key=key, max_retries=0)


async def test_pictures_come_in_base64_with_their_price_and_are_in_the_library(
    parley: RunningParley, server: A1111
):
    server.pictures = [png(64, "red"), png(64, "blue")]
    async with client_of(parley) as client:
        assert "ada" in [model.id async for model in client.models.list()]
        raw = await client.images.with_raw_response.generate(**FOX, n=2, size="512x768", quality="auto")
    answer = raw.parse()
    assert answer.data is not None
    assert [base64.b64decode(each.b64_json or "")[:4] for each in answer.data] == [b"\x89PNG"] * 2
    assert (raw.headers["x-parley-model"], raw.headers["x-parley-cost"]) == ("ada", "0.080000")
    (sent,) = server.posts("/sdapi/v1/txt2img")
    assert (sent["width"], sent["height"]) == (512, 768)
    (row,) = await recorded_calls(parley)
    assert (row.purpose, row.cost_micros) == ("api", 80_000)
    page = await parley.get("/api/library?search=snow")
    assert [each["origin"] for each in page["assets"]] == ["program"] * 2
    source = (await parley.get(f"/api/library/{page['assets'][0]['id']}"))["source"]
    assert (source["prompt"], source["model"]["id"], source["session_id"]) == (FOX["prompt"], "ada", None)
    assert (source["cost_micros"], source["settings"]["width"]) == (40_000, 512)


async def test_a_picture_that_was_asked_for_as_a_link_is_read_there(parley: RunningParley):
    async with client_of(parley) as client:
        answer = await client.images.generate(**FOX, response_format="url")
    assert answer.data is not None
    (picture,) = answer.data
    assert picture.b64_json is None
    read = await parley.client.get(picture.url or "")
    assert (read.status_code, read.headers["content-type"]) == (200, "image/png")
    missing = await parley.client.get(f"/v1/images/{'0' * 32}")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")


async def test_a_stream_has_the_picture_as_it_is_so_far_and_then_whole(tmp_path: Path):
    sent = [
        {"type": "image_generation.partial_image", "b64_json": text_of(png(16, "red"))},
        {"type": "image_generation.partial_image", "b64_json": text_of(png(16, "green"))},
        {
            "type": "image_generation.completed",
            "b64_json": text_of(png(16, "blue")),
            "usage": {"input_tokens": 9, "output_tokens": 1056},
        },
    ]
    body = b"".join(b"data: %b\n\n" % msgspec.json.encode(each) for each in sent)

    async def draw(_path: str, _body: Any) -> tuple[int, bytes, str]:
        return 200, body, "text/event-stream"

    async with DrawingServer() as provider:
        provider.routes["/v1/images/generations"] = draw
        models = tmp_path / "models.yaml"
        models.write_bytes(model_list(f"{provider.url}/v1", "openai", "gpt-image-1"))
        async with a_running_parley(tmp_path, models_file=models) as parley, client_of(parley) as client:
            stream = await client.images.generate(**FOX, stream=True, partial_images=1)
            seen = [event.model_dump() async for event in stream]
    assert [(each["type"], each["b64_json"]) for each in seen] == [
        ("image_generation.partial_image", text_of(png(16, "red"))),
        ("image_generation.completed", text_of(png(16, "blue"))),
    ]
    assert seen[0]["partial_image_index"] == 0
    assert (seen[1]["usage"]["input_tokens"], seen[1]["usage"]["output_tokens"]) == (9, 1056)


def text_of(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


@pytest.mark.parametrize(
    ("changed", "param", "code"),
    [
        ({"quality": "hd"}, "quality", "unsupported_parameter"),
        ({"stream": True, "response_format": "url"}, "response_format", "unsupported_parameter"),
        ({"size": "9000x16"}, "size", "invalid_value"),
        ({"n": 9}, "n", "invalid_value"),
        ({"prompt": " "}, "prompt", "invalid_value"),
        ({"model": "bob"}, "model", "invalid_value"),
        ({"parley": {"x": 1}}, "parley.x", "invalid_value"),
    ],
)
async def test_what_cannot_be_drawn_is_refused_by_name(
    parley: RunningParley, changed: dict[str, Any], param: str, code: str
):
    answer = await parley.client.post("/v1/images/generations", json=FOX | changed)
    error = answer.json()["error"]
    assert (answer.status_code, error["param"], error["code"]) == (400, param, code)


async def test_an_allowance_of_pictures_holds_at_the_door(parley: RunningParley, server: A1111):
    limit = {"subject_kind": "installation", "meter": "images", "period": "day", "cap": 1}
    await parley.post("/api/limits", limit)
    statuses = [(await parley.client.post("/v1/images/generations", json=FOX)).status_code for _ in range(2)]
    assert statuses == [200, 429]
    assert len(server.posts("/sdapi/v1/txt2img")) == 1


async def test_a_key_needs_the_right_to_pictures_and_finds_only_its_owners(
    server: A1111, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hash_quickly(monkeypatch)
    models = tmp_path / "models.yaml"
    models.write_bytes(model_list(server.url))
    async with a_shared_parley(tmp_path, models_file=models) as shared:
        ana, ben = shared.administrator, await shared.person("Ben")
        chats = await ben.send("POST", "/api/me/keys", {"name": "chats", "scopes": ["chat"]})
        draws = await ben.send("POST", "/api/me/keys", {"name": "draws", "scopes": ["images"]})
        hers = await ana.send("POST", "/api/me/keys", {"name": "hers"})
        visitor = shared.parley.visitor()

        async def send(key: dict[str, Any], method: str, path: str, body: Any = None) -> Any:
            headers = {"Authorization": f"Bearer {key['secret']}"}
            return await visitor.request(method, path, json=body, headers=headers)

        refused = await send(chats, "POST", "/v1/images/generations", FOX)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "key_without_scope")
        drawn = await send(draws, "POST", "/v1/images/generations", FOX | {"response_format": "url"})
        path = drawn.json()["data"][0]["url"].removeprefix(shared.parley.base_url)
        statuses = [(await send(key, "GET", path)).status_code for key in (draws, chats, hers)]
        assert statuses == [200, 403, 404]
        assert (await visitor.get(path)).status_code == 401
