"""Tests of blindness over HTTP: before the vote nothing tells which model sits where."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.draws import draw
from tests.fakes.looks import look_at_a_battle
from tests.fakes.nosy_viewer import Asked, Known, NosyViewer, check_all_decided
from tests.fakes.running import (
    EventStream,
    ModelSpec,
    RunningParley,
    a_running_parley,
    kinds,
    read_all,
)
from tests.fakes.upstream import HangUp, Script, ScriptedUpstream, delta, event

ERROR_TEXT = "CANARY-ERROR the request was refused"


@dataclass(frozen=True)
class Canary(ModelSpec):
    """A model with every field that an entry may have, each with a word that may not come out."""

    license: str = "Canary Licence"
    provider: str = "canary-cage"
    tags: tuple[str, ...] = ("canary-tag", "battle")

    def entry(self) -> dict[str, Any]:
        fields = {
            "family": "Canarian family",
            "description": "A canary that is described.",
            "context_window": 777_123,
            "prices": {"input": 717.25, "output": 719.75},
            "routes": [{"provider": self.provider, "model": f"fringilla-{self.id}"}],
        }
        return {**super().entry(), **fields}


CANARIES = (
    Canary("canary-one", "Canarius Primus", "Serinus Society"),
    Canary("canary-two", "Canaria Secunda", "Serinus Society"),
)
CANARY_ONE, CANARY_TWO = (spec.id for spec in CANARIES)
ONE, TWO = f"fringilla-{CANARY_ONE}", f"fringilla-{CANARY_TWO}"
"""The same at their provider."""


class Cage(ScriptedUpstream):
    """A model server whose address has a path that may not come out either."""

    @property
    def url(self) -> str:
        return f"{self.origin}/v1/perch-of-canaries"


@asynccontextmanager
async def an_aviary(folder: Path, pacing: str = "natural") -> AsyncGenerator[RunningParley]:
    """A Parley whose models are all canaries."""
    async with (
        Cage() as cage,
        a_running_parley(folder, models=CANARIES, upstream=cage, pacing=pacing) as parley,
    ):
        yield parley


def traces(parley: RunningParley) -> list[bytes]:
    """What would betray a model, wherever it stood."""
    names = [getattr(spec, field) for spec in CANARIES for field in ("id", "name", "organization", "license")]
    address = f"127.0.0.1:{parley.upstream.port}"
    words = (
        "canar",
        "serinus",
        "fringilla",
        "cage",
        "perch",
        address,
        "s3cret",
        "777123",
        "717.25",
        "719.75",
    )
    return [word.lower().encode() for word in (*names, *words)]


def betrayed(parley: RunningParley, shown: bytes) -> list[bytes]:
    """Return the traces that something shows."""
    return [trace for trace in traces(parley) if trace in shown.lower()]


async def everything_shown(parley: RunningParley, known: Known) -> tuple[bytes, set[Asked]]:
    """Return all that a viewer can be told of a battle, and what was asked for it."""
    viewer = NosyViewer(parley, "canary", "Serinus")
    await viewer.ask_everything(known)
    return viewer.shown, viewer.asked


@asynccontextmanager
async def a_battle(parley: RunningParley, state: str) -> AsyncGenerator[tuple[Known, EventStream]]:
    """A battle in a state, and its stream."""
    if state == "void":
        # A refused key would be shown in its provider's health: the match is over.
        parley.upstream.fail(400, ERROR_TEXT, model=ONE)
    elif state != "completed":
        parley.upstream.reply("Tweet ", "tweet.", reasoning=["I am thinking. "], hold_after=1)
    parley.upstream.reply("Tweet ", "tweet.", reasoning=["I am thinking. "])
    async with parley.stream("POST", "/api/sessions", {"prompt": "Who are you?"}) as stream:
        first = await anext(stream)
        ids = first["turn"]["session_id"], first["match"]["id"], first["turn"]["id"]
        if state in ("running", "stopped"):
            while len(set(read_all(stream.events).texts().values()) - {""}) == 0:
                await anext(stream)
        if state == "stopped":
            await parley.post(f"/api/turns/{ids[2]}/stop")
        if state != "running":
            await stream.rest()
        yield Known(*ids, state), stream
        parley.upstream.release()


STATES = ("running", "completed", "stopped", "void")


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
async def test_nothing_names_a_model_before_the_vote(tmp_path: Path, state: str) -> None:
    """Every route of the document, in every state; a new one raises words that say what has to be decided."""
    async with an_aviary(tmp_path) as parley:
        viewer = NosyViewer(parley)
        before = await viewer.open_answers()
        assert b"canarius primus" in before.lower(), "the catalog names all models, whoever plays"
        async with a_battle(parley, state) as (known, stream):
            shown, asked = await everything_shown(parley, known)
            shown += msgspec.json.encode(stream.events) + str(stream.response.headers.multi_items()).encode()
            assert await viewer.open_answers() == before
        assert b"Tweet" in shown or state == "void"
        assert betrayed(parley, shown) == []
        assert b"thinking" not in shown
        assert b'"metrics":{' not in shown
        if state == "completed":
            check_all_decided(asked)


async def test_after_the_vote_all_is_shown(tmp_path: Path) -> None:
    async with an_aviary(tmp_path, "even") as parley:
        viewer = NosyViewer(parley)
        before = await viewer.catalog()
        async with a_battle(parley, "completed") as (known, _):
            vote = msgspec.json.encode(await parley.vote(known.match_id))
            for path in (f"/api/turns/{known.turn_id}", f"/api/sessions/{known.session_id}"):
                after = (await parley.client.get(path)).content
                for spec in CANARIES:
                    for word in (
                        spec.id,
                        spec.name,
                        spec.organization,
                        spec.license,
                        "described",
                        "canary-tag",
                    ):
                        assert word
                        assert word.encode() in after
                    assert spec.id.encode() in vote
                assert b"I am thinking." in after
                assert b'"metrics":{' in after
                assert b"s3cret" not in after + vote
                assert b"perch" not in after + vote
            assert await viewer.catalog() == before


def breaks_off(upstream: ScriptedUpstream, model: str) -> None:
    steps = (event(delta(content="The beginning ")), HangUp())
    upstream.script(Script(steps, framed=False), model=model)


FAULTS: dict[str, Callable[[ScriptedUpstream, str], object]] = {
    "its key is rejected": lambda upstream, model: upstream.fail(401, ERROR_TEXT, model=model),
    "it breaks off": breaks_off,
    "a filter ended it": lambda upstream, model: upstream.reply(
        "The beginning ", finish="content_filter", model=model
    ),
}


async def voided_battles(folder: Path, fault: str) -> dict[str, list[dict[str, Any]]]:
    """Return the events and the record of a battle whose left side fails, and of one whose right side does."""
    shown: dict[str, list[dict[str, Any]]] = {}
    async with an_aviary(folder) as parley:
        FAULTS[fault](parley.upstream, ONE)
        # It begins so late that what it says is never a part of what is compared.
        parley.upstream.reply("A whole ", "answer.", first_delay=5, model=TWO)
        for side, models in (("left", (CANARY_ONE, CANARY_TWO)), ("right", (CANARY_TWO, CANARY_ONE))):
            draw(parley, *models)
            events = await parley.events("POST", "/api/sessions", {"prompt": "Hi"})
            shown[side] = [*events, await record_of_void(parley, events)]
    return shown


async def record_of_void(parley: RunningParley, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a void battle's record, after it was looked at in every way and named nobody."""
    match, turn = events[0]["match"], events[0]["turn"]
    known = Known(match["session_id"], match["id"], turn["id"], "void")
    viewer = NosyViewer(parley)
    await viewer.read_everything(known)
    shown = msgspec.json.encode(events) + viewer.shown
    for path, body in (
        (f"/api/battles/{match['id']}/vote", {"vote": "left"}),
        (f"/api/battles/{match['id']}/messages", {"content": "More"}),
        (f"/api/turns/{turn['id']}/retry", None),
    ):
        refused = await parley.client.post(path, json=body) if body else await parley.client.post(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "battle_void")
        shown += refused.content
    assert betrayed(parley, shown) == []
    view = await parley.get(f"/api/sessions/{match['session_id']}")
    record = view["matches"][0]
    assert record["match"]["status"] == "void"
    assert record["match"]["void"]["code"] == record["turns"][0]["error"]["code"] == "battle_void"
    again = await parley.post(f"/api/sessions/{match['session_id']}/battles", {"prompt": "Hi"})
    assert again["match_id"] != match["id"]
    return record


def without_ids(value: Any, known: dict[str, str]) -> Any:
    """Replace ids and times, which are random; leave out how much was shown, which is a matter of timing."""
    if isinstance(value, dict):
        reply = "text_end" in value
        return {
            key: without_ids(item, known)
            for key, item in value.items()
            if not (reply and key in ("text", "text_end"))
        }
    if isinstance(value, list):
        return [without_ids(item, known) for item in value]
    if isinstance(value, str) and len(value) == 32 and set(value) <= set("0123456789abcdef"):
        return known.setdefault(value, f"id {len(known)}")
    if isinstance(value, str) and value[:2] == "20" and value.endswith("+00:00"):
        return "a time"
    return value


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_void_battle_has_no_side(tmp_path: Path, fault: str) -> None:
    """The same fault on the left and on the right shows the same, apart from random ids and times."""
    both = await voided_battles(tmp_path, fault)
    left, right = both["left"], both["right"]
    assert kinds(left[:-1])[-1] == "turn.failed"
    assert left[-2]["error"]["code"] == "battle_void"
    assert "reply.failed" not in kinds(left[:-1])
    # The snapshot may come a moment earlier or later; what it leads to may not differ.
    assert without_ids(_final(left), {}) == without_ids(_final(right), {})


def _final(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [events[-2], events[-1]]


async def test_the_json_answer_of_a_void_battle_names_nobody(tmp_path: Path) -> None:
    async with an_aviary(tmp_path) as parley:
        parley.upstream.fail(403, ERROR_TEXT)
        answer = await parley.client.post("/api/sessions", json={"prompt": "Hi"})
        outcome = answer.json()
        assert (outcome["status"], outcome["error"]["code"]) == ("failed", "battle_void")
        assert {reply["status"] for reply in outcome["responses"].values()} <= {"stopped"}
        assert betrayed(parley, answer.content) == []


async def test_the_log_names_model_and_provider_once_a_battle_is_void(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_running_parley(tmp_path) as parley:
        parley.upstream.fail(403, "no")
        await parley.battle("Hi")
    warnings = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert any("(near): The provider rejected the key." in warning for warning in warnings), warnings


NEAR = (ModelSpec("ada"), ModelSpec("bob"))
APART = (ModelSpec("ada"), ModelSpec("bob", provider="far"))


@pytest.mark.parametrize(("models", "named"), [(NEAR, True), (APART, False)], ids=["one provider", "two"])
async def test_a_void_battle_names_a_cause_that_every_seat_shares(
    tmp_path: Path, models: tuple[ModelSpec, ...], *, named: bool
) -> None:
    async with a_running_parley(tmp_path, models=models) as parley:
        await parley.upstream.stop()
        events = await parley.events("POST", "/api/sessions", {"prompt": "Hi"})
        error = events[-1]["error"]
        record = (await parley.get(f"/api/sessions/{events[0]['match']['session_id']}"))["matches"][0]
        health = (await parley.get("/api/models"))["providers"]
        assert error == record["match"]["void"] == record["turns"][0]["error"]
    assert error["code"] == "battle_void"
    assert ("connection refused" in error["title"]) is named
    assert "near" in error["title"] or not named
    assert "Nothing was counted." in error["detail"]
    assert any("connection refused" in (provider["error"] or "") for provider in health)


CROWD = (
    ModelSpec("ada", license="MIT"),
    ModelSpec("bob", "Bob " * 30, "An organisation with a very long name", "Proprietary", provider="far"),
    Canary("cleo", "Cleo", tags=("battle", "new", "cheap")),
)


async def test_every_pair_of_models_that_says_the_same_looks_the_same(tmp_path: Path) -> None:
    """Every answer and header, of every way to look at a battle, while it runs and after its end."""
    every = tuple(spec if "battle" in spec.tags else replace(spec, tags=("battle",)) for spec in CROWD)
    async with a_running_parley(tmp_path, models=every) as parley:
        parley.upstream.reply("An earlier answer.")
        await parley.chat(model="ada")
        shown: dict[tuple[str, str], list[bytes]] = {}
        for pair in permutations(["ada", "bob", "cleo"], 2):
            parley.upstream.forget()
            _let_all_say_the_same(parley.upstream)
            draw(parley, *pair)
            shown[pair], session_id = await look_at_a_battle(parley)
            assert await parley.seats(session_id, 0) == {"left": pair[0], "right": pair[1]}
        first, *others = shown.items()
        for pair, seen in others:
            differing = [both for both in zip(first[1], seen, strict=True) if both[0] != both[1]]
            assert differing == [], f"{pair} can be told from {first[0]}"


def _let_all_say_the_same(upstream: ScriptedUpstream) -> None:
    """The same text at the same speed; thoughts, usage, finish reason and endings are the model's own."""
    said = ("Same ", "words.")
    upstream.reply(*said, hold_after=1, reasoning=["Much thought."], model="ada")
    upstream.reply(*said, hold_after=1, usage=False, reasoning=["?"], model="bob")
    usage = {"prompt_tokens": 91_000, "completion_tokens": 17_000}
    upstream.reply(*said, hold_after=1, finish="length", usage=usage, done=False, model="fringilla-cleo")


async def test_a_stopped_blind_turn_shows_no_more_than_was_released(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob"), pacing="even") as parley:
        parley.upstream.reply("x" * 3000, "y", hold_after=1, model="ada")
        parley.upstream.reply("x" * 900, "y", hold_after=1, model="bob")
        async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
            turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
            await stream.until_said()
            view = await parley.post(f"/api/turns/{turn_id}/stop")
            assert (await stream.rest())[-1]["kind"] == "turn.stopped"
        texts = [reply["text"] for reply in view["turn"]["replies"]]
        assert view["turn"]["status"] == "stopped"
        assert texts[0] == texts[1]
        assert 0 < len(texts[0]) < 900
        assert [reply["status"] for reply in view["turn"]["replies"]] == ["stopped"] * 2
        assert (await parley.get(f"/api/turns/{turn_id}"))["turn"] == view["turn"]
