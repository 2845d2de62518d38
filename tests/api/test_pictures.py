"""Tests of drawn pictures over HTTP: progress, one at a time, blind battles, restarts, and the library."""

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from parley.connectors.a1111 import connector as a1111
from parley.connectors.comfyui import connector as comfyui
from tests.fakes.drawing_servers import A1111, ComfyUI, DrawingServer, png
from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import Client, EventStream, RunningParley, a_running_parley, kinds

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)
    monkeypatch.setattr(a1111, "POLL_S", 0.02)
    monkeypatch.setattr(comfyui, "POLL_S", 0.02)


def list_of(*servers: tuple[str, str, str], **more: Any) -> bytes:
    """Return a model list: for each server's name, connector and address a model of the same name."""
    providers = [
        {"id": name, "connector": connector, "base_url": url, **more} for name, connector, url in servers
    ]
    models = [
        {
            "id": name,
            "routes": [{"provider": name, "model": "dream"}],
            "capabilities": ["images"],
            "prices": {"input": 0, "output": 0, "image": 0.04},
            "tags": ["battle"],
        }
        for name, _, _ in servers
    ]
    return msgspec.json.encode({"providers": providers, "models": models})


@asynccontextmanager
async def drawing(folder: Path, models: bytes, *, pacing: str = "even") -> AsyncGenerator[RunningParley]:
    (folder / "models.yaml").write_bytes(models)
    async with a_running_parley(folder, models_file=folder / "models.yaml", pacing=pacing) as parley:
        yield parley


async def test_a_chat_draws_with_progress_and_a_price_and_is_found_by_a_word(tmp_path: Path) -> None:
    async with A1111() as server, drawing(tmp_path, list_of(("ada", "a1111", server.url))) as parley:
        server.at("/sdapi/v1/progress", 2, server.finish.set)
        body = {"prompt": "A fox in snow.", "mode": "chat", "seats": {"assistant": "ada"}}
        settings = {"picture": {"seed": 7, "steps": 20, "width": 512, "height": 512}}
        events = await parley.events(
            "POST", "/api/sessions", {**body, "seat_settings": {"assistant": settings}}
        )
        assert "reply.progressed" in kinds(events)
        (ended,) = (event for event in events if event["kind"] == "reply.completed")
        assert ended["metrics"]["cost_micros"] == 40_000
        (sent,) = server.posts("/sdapi/v1/txt2img")
        assert (sent["seed"], sent["width"]) == (7, 512)

        page = await parley.get("/api/library?search=snow")
        assert (page["total"], page["kinds"]) == (1, [{"kind": "picture", "count": 1}])
        view = await parley.get(f"/api/library/{page['assets'][0]['id']}")
        source = view["source"]
        assert (source["prompt"], source["model"]["id"], source["cost_micros"]) == (
            "A fox in snow.",
            "ada",
            40_000,
        )
        assert source["settings"]["seed"] == 7
        assert (await parley.get("/api/library?search=desert"))["total"] == 0


@pytest.mark.parametrize("server", [A1111, ComfyUI])
async def test_a_seed_that_nobody_set_is_found_as_it_was_used(
    server: type[A1111 | ComfyUI], tmp_path: Path
) -> None:
    connector = "a1111" if server is A1111 else "comfyui"
    async with server() as drawer, drawing(tmp_path, list_of(("ada", connector, drawer.url))) as parley:
        if isinstance(drawer, A1111):
            drawer.pictures = [png(64, "red"), png(64, "blue")]
            drawer.finish.set()
        body = {"prompt": "A fox.", "mode": "chat", "seats": {"assistant": "ada"}}
        settings = {"assistant": {"picture": {"count": 2}}} if isinstance(drawer, A1111) else {}
        turn = asyncio.create_task(parley.post("/api/sessions", {**body, "seat_settings": settings}))
        async with asyncio.timeout(30):
            while isinstance(drawer, ComfyUI) and not turn.done():
                drawer.finish_all()
                await asyncio.sleep(0.02)
        await turn
        (sent,) = drawer.posts("/sdapi/v1/txt2img" if isinstance(drawer, A1111) else "/prompt")
        assets = sorted((await parley.get("/api/library"))["assets"], key=lambda each: each["id"])
        sources = [(await parley.get(f"/api/library/{each['id']}"))["source"] for each in assets]
        seeds = [source["settings"]["seed"] for source in sources]
        if isinstance(drawer, A1111):
            assert sorted(seeds) == [sent["seed"], sent["seed"] + 1]
        else:
            assert f'"seed": {seeds[0]}' in str(sent).replace("'", '"')


@pytest.mark.slow
async def test_twenty_pictures_wait_for_a_server_that_draws_one_at_a_time(tmp_path: Path) -> None:
    async with (
        A1111() as server,
        drawing(tmp_path, list_of(("ada", "a1111", server.url), max_concurrency=1)) as parley,
    ):
        server.finish.set()
        body = {"mode": "chat", "seats": {"assistant": "ada"}}
        turns = await asyncio.gather(
            *(parley.post("/api/sessions", {**body, "prompt": f"Fox {number}"}) for number in range(20))
        )
        assert {turn["status"] for turn in turns} == {"completed"}
        assert (len(server.posts("/sdapi/v1/txt2img")), server.most_drawing) == (20, 1)


# ── blind battles ────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def two_painters(folder: Path) -> AsyncGenerator[tuple[RunningParley, A1111, A1111]]:
    """Two models whose pictures differ in size, and whose servers note their names in them."""
    async with A1111() as ada, A1111() as bob:
        ada.pictures, bob.pictures = [png(64, "red", note="by ada")], [png(700, "blue", note="by bob")]
        async with drawing(folder, list_of(("ada", "a1111", ada.url), ("bob", "a1111", bob.url))) as parley:
            yield parley, ada, bob


async def test_a_battle_of_pictures_tells_nothing_before_the_vote(tmp_path: Path) -> None:
    """Sizes, formats, metadata, names, headers and the order of events are alike, whoever was quicker."""
    async with two_painters(tmp_path) as (parley, ada, bob):
        ada.finish.set()
        body = {"prompt": "A fox.", "mode": "battle", "brief": {"pictures": True}}
        headers = {"Accept": "text/event-stream"}
        async with parley.client.stream("POST", "/api/sessions", json=body, headers=headers) as response:
            events = EventStream(response)
            snapshot = await events.until("turn.snapshot")
            # The quick one is done: nothing shows until the slow one is too.
            await asyncio.sleep(0.5)
            view = await parley.get(f"/api/turns/{snapshot['turn']['id']}")
            assert [reply["parts"] for reply in view["turn"]["replies"]] in ([], [[], []])
            assert (await parley.get("/api/library"))["total"] == 0
            bob.finish.set()
            rest = await events.rest()
        assert "reply.progressed" not in kinds(rest)
        parts = [event["part"] for event in rest if event["kind"] == "part.added"]
        assert len(parts) == 2
        differing = {"sha256", "size"}
        seen = [{k: v for k, v in part["attached"].items() if k not in differing} for part in parts]
        assert seen[0] == seen[1]
        answers = [
            await parley.client.get(f"/api/attachments/{part['attached']['sha256']}") for part in parts
        ]
        images = [Image.open(io.BytesIO(answer.content)) for answer in answers]
        assert [(image.format, image.size, dict(image.getexif())) for image in images] == [
            ("JPEG", (1024, 1024), {})
        ] * 2
        assert not any(b"by ada" in answer.content or b"by bob" in answer.content for answer in answers)
        own = {"etag", "content-length", "date"}
        shown = [{name: value for name, value in a.headers.items() if name not in own} for a in answers]
        assert shown[0] == shown[1]
        asked = [server.posts("/sdapi/v1/txt2img")[0] for server in (ada, bob)]
        assert {(each["width"], each["height"], each["batch_size"]) for each in asked} == {(1024, 1024, 1)}

        assert (await parley.get("/api/library"))["total"] == 0, "not before the vote"
        vote = await parley.vote(snapshot["match"]["id"], "left")
        assert vote["counted"]
        page = await parley.get("/api/library")
        assert page["total"] == 2
        assert sum(asset["preferred"] for asset in page["assets"]) == 1
        stored = await parley.get(f"/api/votes/{vote['vote_id']}")
        assert "pictures" in stored["categories"]


async def test_the_probe_of_blindness_sees_a_difference_where_there_is_one(tmp_path: Path) -> None:
    """The positive control: in an open match the same two pictures do differ."""
    async with two_painters(tmp_path) as (parley, ada, bob):
        ada.finish.set()
        bob.finish.set()
        body = {"prompt": "A fox.", "mode": "compare", "seats": {"a": "ada", "b": "bob"}}
        events = await parley.events("POST", "/api/sessions", body)
        files = [event["part"]["attached"] for event in events if event["kind"] == "part.added"]
        assert len({(file["width"], file["height"]) for file in files}) == 2


async def test_a_battle_of_pictures_needs_two_models_that_draw(tmp_path: Path) -> None:
    async with A1111() as server, drawing(tmp_path, list_of(("ada", "a1111", server.url))) as parley:
        body = {"prompt": "A fox.", "mode": "battle", "brief": {"pictures": True}}
        answer = await parley.post("/api/sessions", body, 503)
        assert answer["code"] == "not_enough_models"
        assert "draw" in answer["title"]


# ── the library ──────────────────────────────────────────────────────────────────────────────────


async def test_what_is_deleted_can_be_restored_and_tags_are_found(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        parley.upstream.reply('Here:\n\n```python title="late.py"\nprint(1)\n```\n', model="ada")
        turn = await parley.chat("Write a script.")
        (asset,) = (await parley.get("/api/library"))["assets"]
        assert (asset["kind"], asset["title"], asset["excerpt"]) == ("code", "late.py", "print(1)\n")
        await parley.client.patch(f"/api/library/{asset['id']}", json={"tags": ["Scripts"]})
        assert (await parley.get("/api/library?tag=scripts"))["total"] == 1
        content = await parley.client.get(f"/api/library/{asset['id']}/content")
        assert content.text == "print(1)\n"
        assert content.headers["x-content-type-options"] == "nosniff"
        assert content.headers["content-disposition"].startswith("attachment")

        await parley.client.delete(f"/api/library/{asset['id']}")
        assert (await parley.get("/api/library"))["total"] == 0
        await parley.post(f"/api/library/{asset['id']}/restore")
        assert (await parley.get("/api/library"))["total"] == 1

        reply = (await parley.get(f"/api/turns/{turn['turn_id']}"))["turn"]["replies"][0]
        await parley.post("/api/library/kept", {"reply_id": reply["id"]})
        await parley.post("/api/library/kept", {"reply_id": reply["id"]})
        exported = await parley.post("/api/library/exports", {"session_id": turn["session_id"]})
        assert exported["title"].endswith(".md")
        found = await parley.get("/api/library")
        assert {each["kind"]: each["count"] for each in found["kinds"]} == {"code": 1, "text": 1, "export": 1}
        choices = await parley.get("/api/library/choices")
        assert (choices["models"], choices["tags"]) == (["ada"], ["scripts"])


async def test_another_person_finds_nothing_of_it(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path) as shared:
        ada, bob = shared.administrator, await shared.person("Bob")
        body = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}}
        turn = (await ada.client.post("/api/sessions", json=body)).json()
        reply = (await ada.client.get(f"/api/turns/{turn['turn_id']}")).json()["turn"]["replies"][0]
        kept = (await ada.client.post("/api/library/kept", json={"reply_id": reply["id"]})).json()
        for path in (f"/api/library/{kept['id']}", f"/api/library/{kept['id']}/content"):
            assert (await bob.client.get(path)).status_code == 404
        assert (await bob.client.post("/api/library/kept", json={"reply_id": reply["id"]})).status_code == 404
        assert (await bob.client.get("/api/library")).json()["total"] == 0


# ── restarts ─────────────────────────────────────────────────────────────────────────────────────


async def killed_in_mid_picture(
    folder: Path, models: bytes, server: DrawingServer, path: str
) -> tuple[ParleyProcess, Client, str, Any]:
    """Begin a picture, kill Parley, and start it again; return the new process, its client and the turn."""
    file = folder / "models.yaml"
    file.write_bytes(models)
    begin = processes(folder, file)
    start = begin.__enter__()
    first = start()
    await asyncio.to_thread(first.wait_until_ready)
    async with Client(base_url=first.base_url, timeout=50, trust_env=False) as client:
        body = {"prompt": "A fox.", "mode": "chat", "seats": {"assistant": "ada"}}
        headers = {"Accept": "text/event-stream", "Sec-Fetch-Site": "same-origin"}
        async with client.stream("POST", "/api/sessions", json=body, headers=headers) as response:
            snapshot = await EventStream(response).until("turn.snapshot")
            async with asyncio.timeout(30):
                while not server.posts(path):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            first.kill()
    second = start()
    await asyncio.to_thread(second.wait_until_ready)
    client = Client(base_url=second.base_url, timeout=50, trust_env=False)
    return second, client, snapshot["turn"]["id"], begin


async def ended(client: Client, turn_id: str) -> Any:
    async with asyncio.timeout(40):
        while True:
            view = (await client.get(f"/api/turns/{turn_id}")).json()["turn"]
            if view["status"] not in ("running", "interrupted"):
                return view["replies"][0]
            await asyncio.sleep(0.1)


async def test_a_picture_at_comfyui_is_picked_up_after_a_kill(tmp_path: Path) -> None:
    async with ComfyUI() as server:
        _, client, turn, begun = await killed_in_mid_picture(
            tmp_path, list_of(("ada", "comfyui", server.url)), server, "/prompt"
        )
        async with client:
            server.finish_all()
            reply = await ended(client, turn)
        begun.__exit__(None, None, None)
        assert (reply["status"], len(reply["parts"])) == ("completed", 1)
        assert len(server.posts("/prompt")) == 1


@pytest.mark.parametrize(
    ("connector", "path"), [("openai", "/v1/images/generations"), ("a1111", "/sdapi/v1/txt2img")]
)
async def test_a_picture_that_cannot_be_picked_up_is_not_asked_for_again_after_a_kill(
    connector: str, path: str, tmp_path: Path
) -> None:
    async with DrawingServer() as server:

        async def never(_path: str, _body: Any) -> tuple[int, bytes, str]:
            await asyncio.sleep(60)
            return 200, b"", ""

        server.routes[path] = never
        _, client, turn, begun = await killed_in_mid_picture(
            tmp_path, list_of(("ada", connector, f"{server.url}/v1")), server, path
        )
        async with client:
            reply = await ended(client, turn)
        begun.__exit__(None, None, None)
        assert (reply["status"], reply["error"]["code"]) == ("failed", "picture_interrupted")
        assert "Retry" in reply["error"]["detail"]
        assert len(server.posts(path)) == 1
