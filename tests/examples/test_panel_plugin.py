"""The example plugin, built and installed as a stranger would: a server has its mode and its models."""

import asyncio
import shutil
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.api.server import serve_beside
from parley.application import open_application
from parley.settings import DATABASE_FILE, Settings
from tests.fakes.commands import runner
from tests.fakes.databases import Kind, a_blank_database, an_empty_database, copy_empty
from tests.fakes.example_plugin import BIRDS, install_example, write_birds
from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import Client, EventStream, kinds, read_all

SEATS = dict(zip("abcd", BIRDS, strict=True))
QUESTION = "Which is better for the morning, tea or coffee? And why?"
LONG = " ".join(f"Reason {number} speaks for tea." for number in range(40))

Start = Callable[..., ParleyProcess]


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the plugin is installed from its wheel."""
    return install_example(tmp_path_factory.mktemp("plugin"))


@pytest.fixture(scope="module")
def quick(plugins: Path) -> Path:
    """The same plugin, whose models do not pause between their words."""
    copy = shutil.copytree(plugins, plugins.with_name("quick"))
    file = copy / "parley_plugin_panel" / "parrot.py"
    file.write_text(file.read_text("utf-8").replace("WAIT_S = 0.03", "WAIT_S = 0"), "utf-8")
    return copy


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A model list with four models of the plugin's connector."""
    return write_birds(tmp_path / "models.yaml")


@pytest.fixture
async def stored_at(stored_in: Kind) -> AsyncGenerator[dict[str, str]]:
    """What tells a server its database, where that is not SQLite."""
    if stored_in == "sqlite":
        yield {}
        return
    async with a_blank_database() as url:
        yield {"PARLEY_DATABASE_URL": url}


@pytest.fixture
def start(tmp_path: Path, models: Path, plugins: Path, stored_at: dict[str, str]) -> Generator[Start]:
    with processes(tmp_path, models) as begin:
        yield partial(begin, PYTHONPATH=str(plugins), **stored_at)


@pytest.fixture
def installed(quick: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """The plugin among what is installed for this process."""
    monkeypatch.syspath_prepend(str(quick))
    forget_plugin()
    yield
    forget_plugin()


class Visit:
    """A person's way to a running server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def get(self, path: str) -> Any:
        answer = await self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any) -> Any:
        answer = await self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def say(self, match_id: str, kind: str, **more: Any) -> Any:
        """Take the next turn and return it at its end."""
        seats = {"seats": more.pop("seats")} if "seats" in more else {}
        body = {"input": {"type": kind, **more}, **seats}
        return await self.turn((await self.post(f"/api/matches/{match_id}/turns", body))["turn_id"])

    async def turn(self, turn_id: str) -> Any:
        return (await self.get(f"/api/turns/{turn_id}"))["turn"]

    async def vote(self, match_id: str, choice: str) -> Any:
        return await self.post(f"/api/matches/{match_id}/vote", {"vote": choice})

    @asynccontextmanager
    async def stream(self, method: str, path: str, body: Any = None) -> AsyncGenerator[EventStream]:
        asked = self.client.stream(method, path, json=body, headers={"Accept": "text/event-stream"})
        async with asked as response:
            yield EventStream(response)


@asynccontextmanager
async def visit(start: Start) -> AsyncGenerator[tuple[Visit, ParleyProcess]]:
    """Start a server and wait until it is ready."""
    server = await asyncio.to_thread(start)
    await asyncio.to_thread(server.wait_until_ready)
    async with Client(base_url=server.base_url, timeout=50, trust_env=False) as client:
        yield Visit(client), server


@asynccontextmanager
async def visit_here(stored_in: Kind, folder: Path, models: Path) -> AsyncGenerator[Visit]:
    """Serve from this process."""
    async with an_empty_database(stored_in) as url:
        if url is None:
            await copy_empty(folder / "data" / DATABASE_FILE)
        given: dict[str, Any] = {"data_dir": folder / "data", "models": models, "port": 0}
        given |= {"discover_at": "none", "battle_pacing": "natural"} | ({"database_url": url} if url else {})
        async with (
            open_application(Settings.model_validate(given)) as app,
            serve_beside(app) as address,
            Client(base_url=address, timeout=50, trust_env=False, verify=False) as client,
        ):
            yield Visit(client)


def forget_plugin() -> None:
    """Let the plugin be imported anew, from where it is installed then."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "parley_plugin_panel"]:
        del sys.modules[name]


def panel(prompt: str = QUESTION, **more: Any) -> dict[str, Any]:
    return {"prompt": prompt, "mode": "panel", "seats": SEATS, **more}


def said(turn: Any) -> dict[str, str]:
    return {reply["seat"]: reply["text"] for reply in turn["replies"]}


@pytest.mark.usefixtures("installed")
async def test_a_panel_is_paused_judged_each_turn_and_changed(
    stored_in: Kind, tmp_path: Path, models: Path
) -> None:
    async with visit_here(stored_in, tmp_path, models) as parley:
        modes = {mode["name"]: mode for mode in (await parley.get("/api/modes"))["modes"]}
        assert modes["panel"]["brief_schema"]["properties"]["rounds"]["title"] == "Rounds"
        settings = {"a": {"max_output_tokens": 30}, "b": {"system_prompt": "Be kind."}}
        begun = await parley.post("/api/sessions", panel(seat_settings=settings))
        match_id = begun["match_id"]
        first = await parley.turn(begun["turn_id"])
        assert (first["status"], first["round"]) == ("completed", 1)
        assert said(first)["a"] == f"Answer 1. You said: {QUESTION}"
        assert said(first)["b"].endswith("I keep in mind: Be kind.")
        for choice in ("a", "b"):
            assert (await parley.vote(match_id, choice))["turn_id"] == first["id"]
        second = await parley.say(match_id, "continue")
        assert second["round"] == 2
        assert said(second)["a"].startswith("Answer 2. You said: b said: Answer 1. Words: 11")
        assert len(said(second)["a"].split()) == 30
        await parley.vote(match_id, "none")
        await check_preferences(parley)

        third = await parley.say(
            match_id, "steer", text="Short.", seats={"add": {"e": "jago"}, "leave": ["d"]}
        )
        assert (third["round"], sorted(said(third))) == (3, ["a", "b", "c", "e"])
        assert said(third)["e"].startswith("Answer 1. Still open: Which is better")
        assert third["notes"][0]["data"] == {"asked": ["a", "b", "c", "e"], "left_out": []}
        await parley.post(f"/api/turns/{third['id']}/retry", {"seat": "c"})
        again = await parley.turn(third["id"])
        assert {reply["seat"]: reply["attempt"] for reply in again["replies"]} == {
            "a": 1,
            "b": 1,
            "c": 2,
            "e": 1,
        }
        assert said(again) == said(third)

        last = await parley.say(match_id, "synthesise")
        assert [(reply["seat"], reply["purpose"]) for reply in last["replies"]] == [("a", "joint")]
        assert last["notes"][0]["data"] == {"asked": ["a"], "left_out": ["b", "c", "e"]}


async def check_preferences(parley: Visit) -> None:
    """Of two votes, one preferred a seat, after a change of mind; no rating has moved."""
    table = await parley.get("/api/leaderboard/preferences")
    assert (table["votes"], table["ties"], table["left_out"]) == (1, 1, 0)
    chosen = {line["model"]["id"]: (line["chosen"], line["shown"]) for line in table["lines"]}
    assert chosen == {"polly": (0, 1), "coco": (1, 1), "rio": (0, 1), "jago": (0, 1)}
    for method in ("bradley-terry", "elo"):
        board = await parley.get(f"/api/leaderboard?min_votes=0&method={method}")
        assert (board["votes"], board["lines"]) == (0, [])
    cards = (await parley.get("/api/votes"))["votes"]
    assert {card["counted"] for card in cards} == {False}


@pytest.mark.usefixtures("installed")
async def test_a_saved_panel_answers_like_a_model(stored_in: Kind, tmp_path: Path, models: Path) -> None:
    async with visit_here(stored_in, tmp_path, models) as parley:
        asked = {
            "mode": "panel",
            "name": "Morning",
            "seats": SEATS,
            "brief": {"rounds": 2},
            "contestant": True,
        }
        preset = await parley.post("/api/presets", asked)
        assert [it["name"] for it in (await parley.get("/api/presets?mode=panel"))["presets"]] == ["Morning"]
        chat = {"prompt": QUESTION, "mode": "chat", "seats": {"assistant": preset["model_id"]}}
        begun = await parley.post("/api/sessions", chat)
        (reply,) = (await parley.turn(begun["turn_id"]))["replies"]
        assert reply["status"] == "completed"
        assert reply["text"].startswith("Answer 3. You said: b said:"), (
            "its own two answers, then the joint one"
        )
        inner = (await parley.get(f"/api/turns/{begun['turn_id']}/inner-replies"))["replies"]
        assert len(inner) == 2 * len(SEATS) + 1


@pytest.mark.slow
async def test_what_is_said_meanwhile_is_heard_and_a_kill_asks_nobody_twice(
    start: Start, quick: Path
) -> None:
    async with visit(start) as (parley, server):
        body = panel(f"{QUESTION} {LONG}", brief={"pause": "never", "rounds": 3})
        async with parley.stream("POST", "/api/sessions", body) as stream:
            turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
            await stream.until("reply.completed")
            steer = {"input": {"type": "steer", "text": "Think of the evening too."}}
            await parley.post(f"/api/turns/{turn_id}/interject", steer)
            while (await stream.until("round.started"))["round"] != 2:
                pass
            await stream.until("reply.completed")
            await asyncio.to_thread(server.kill)
        done = {reply["reply_id"] for reply in stream.events if reply["kind"] == "reply.completed"}
    async with visit(partial(start, PYTHONPATH=str(quick))) as (parley, _):
        async with asyncio.timeout(60), parley.stream("GET", f"/api/turns/{turn_id}/events") as stream:
            events = await stream.rest(within=60)
        turn = await parley.turn(turn_id)
    assert kinds(events)[-1] == "turn.completed"
    assert read_all(events).end == "turn.completed"
    assert (turn["play"], turn["round"], len(turn["replies"])) == (2, 3, 3 * len(SEATS))
    attempts = {(reply["round"], reply["seat"]): reply["attempt"] for reply in turn["replies"]}
    assert {reply["attempt"] for reply in turn["replies"] if reply["id"] in done} == {1}
    assert attempts[2, "a"] == 2, "the long answer was being given"
    assert {attempts[3, seat] for seat in SEATS} == {1}
    assert [note["round"] for note in turn["notes"]] == [1, 2, 3]
    assert [it["round"] for it in turn["interjections"]] == [2]
    heard = [reply["text"] for reply in turn["replies"] if reply["seat"] == "a"]
    assert heard[1].startswith("Answer 2. You said: Think of the evening too. b said:")
    assert "evening" not in heard[0]


@pytest.mark.usefixtures("installed")
def test_the_doctor_lists_it(tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path, monkeypatch, blank=True)
    monkeypatch.setenv("PARLEY_MODELS", str(models))
    found = msgspec.json.decode(run("doctor", "--json", status=None).stdout)
    checks = {check["name"]: check for check in found["checks"]}
    assert checks["Plugins"]["state"] == checks["Provider parrots"]["state"] == "ok"
    assert (
        checks["Plugins"]["text"]
        == "modes battle, compare, consortium, team, chat, panel; connectors openai, litellm-proxy, "
        "demo, a1111, comfyui, llm, anyllm-openai, anyllm-anthropic, anyllm-gemini, anyllm-mistral, anyllm-cohere, "
        "anyllm-bedrock, parrot"
    )
