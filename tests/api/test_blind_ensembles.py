"""Blindness with an ensemble on both seats: two teams, or a team and a consortium."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.api.test_blindness import Canary
from tests.fakes import consortium_talk
from tests.fakes.draws import draw
from tests.fakes.looks import look_at_a_battle
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

PANEL = {"arbiter": "judge", "a": "member"}
TAGGED = (ModelSpec("ada", tags=("battle",)), ModelSpec("bob", tags=("battle",)))
INNER = ("canary-one", "canary-two", "canary-three")
MODELS = (*TAGGED, *(ModelSpec(f"judge-{n}") for n in (1, 2, 3)), *(Canary(name, tags=()) for name in INNER))
PRESETS: Mapping[str, dict[str, Any]] = {
    "Duo": {
        "mode": "team",
        "seats": {"a": "canary-one", "b": "canary-two", "z": "judge-1"},
        "brief": {"rounds": 1, "members": {"z": {"role": "Moderator"}}},
    },
    "Long": {
        "mode": "team",
        "seats": {"x": "canary-three", "y": "canary-one", "w": "canary-two", "z": "judge-2"},
        "brief": {"rounds": 3, "strategy": "round_robin", "members": {"z": {"role": "Moderator"}}},
    },
    "Panel": {"mode": "consortium", "seats": {"arbiter": "judge-3", "a": "canary-one", "b": "canary-three"}},
}


def confers(upstream: ScriptedUpstream) -> None:
    """Let everybody inside speak at once, and all who conclude say the same when they are let."""
    upstream.forget()
    for name in INNER:
        upstream.reply(consortium_talk.member("Inner words."), model=f"fringilla-{name}")
    for judge in ("judge-1", "judge-2", "ada", "bob"):
        upstream.reply("Same words.", hold_after=0, model=judge)
    upstream.reply(consortium_talk.arbiter("Same words."), hold_after=0, model="judge-3")


async def save_all(parley: RunningParley) -> None:
    for name, preset in PRESETS.items():
        await parley.post("/api/presets", {"name": name, "contestant": True, **preset})


async def test_a_battle_with_an_ensemble_looks_like_one_between_models(tmp_path: Path) -> None:
    """The same text, from one model or from several that confer: every answer and header is the same."""
    models = (*TAGGED, ModelSpec("judge"), Canary("member", tags=()))
    async with a_running_parley(tmp_path, models=models, pacing="even") as parley:
        await parley.chat()
        saved = {"mode": "consortium", "name": "Panel", "seats": PANEL, "contestant": True}
        ensemble = (await parley.post("/api/presets", saved))["model_id"]
        shown: dict[tuple[str, str], list[bytes]] = {}
        for pair in (("ada", "bob"), (ensemble, "ada"), ("bob", ensemble)):
            parley.upstream.forget()
            parley.upstream.reply(consortium_talk.member("Inner words."), model="fringilla-member")
            parley.upstream.reply(consortium_talk.arbiter("Same words."), hold_after=0, model="judge")
            for single in ("ada", "bob"):
                parley.upstream.reply("Same words.", hold_after=0, model=single)
            draw(parley, *pair)
            shown[pair], _ = await look_at_a_battle(parley, ["", ""])
            assert b"inner words" not in b"".join(shown[pair]).lower()
        ordinary = shown["ada", "bob"]
        for pair, seen in shown.items():
            differing = [both for both in zip(ordinary, seen, strict=True) if both[0] != both[1]]
            assert differing == [], f"{pair} can be told from two models"


async def test_a_version_of_a_prompt_competes_blind_and_is_voted_for(tmp_path: Path) -> None:
    """Its text, its name and its model are in nothing that is shown before the vote, whatever else it is."""
    models = (*TAGGED, Canary("member", tags=()))
    async with a_running_parley(tmp_path, models=models, pacing="even") as parley:
        await parley.chat()
        messages = [
            {"role": "system", "text": "Zirconia rules."},
            {"role": "user", "text": "For Ann: {{text}}"},
        ]
        prompt = await parley.post("/api/prompts", {"name": "Quokka wording", "messages": messages})
        path = f"/api/prompts/{prompt['prompt']['id']}/contestants"
        preset = await parley.post(path, {"version": 1, "model": "member"})
        contestant: str = preset["model_id"]
        shown: list[list[bytes]] = []
        for pair in (("ada", "bob"), (contestant, "ada")):
            parley.upstream.forget()
            for model in ("ada", "bob", "fringilla-member"):
                parley.upstream.reply("Same words.", hold_after=0, model=model)
            draw(parley, *pair)
            seen, session_id = await look_at_a_battle(parley, ["", ""])
            shown.append(seen)
        ordinary, seen = shown
        assert [at for at, both in enumerate(zip(ordinary, seen, strict=True)) if both[0] != both[1]] == []
        everything = b"".join(seen).lower()
        for secret in ("zirconia", "quokka", "for ann", "fringilla", contestant):
            assert secret.encode() not in everything
        asked = [chat.json for chat in parley.upstream.chats if chat.model == "fringilla-member"]
        roles = [[(each["role"], each["content"]) for each in body["messages"]] for body in asked]
        assert roles[0] == [("system", "Zirconia rules."), ("user", "For Ann: Hi")]

        match = (await parley.get(f"/api/sessions/{session_id}"))["matches"][0]["match"]
        side = next(name for name, model in (await parley.seats(session_id)).items() if model == contestant)
        vote = await parley.vote(match["id"], side)
        assert vote["counted"]
        assert "Quokka wording v1" in vote[side]["name"]
        assert vote[side]["elo_after"] > vote[side]["elo_before"]


async def seated(parley: RunningParley, session_id: str) -> frozenset[str]:
    return frozenset((await parley.seats(session_id, 0)).values())


async def test_battles_between_ensembles_look_like_one_between_models(tmp_path: Path) -> None:
    """The same text from two models, two teams, or a team and a consortium: every answer and header is the same."""
    async with a_running_parley(tmp_path, models=MODELS, pacing="even") as parley:
        parley.upstream.reply("An earlier answer.")
        await parley.chat(model="ada")
        await save_all(parley)
        shown: dict[tuple[str, str], list[bytes]] = {}
        for pair in (("ada", "bob"), ("duo-r1", "long-r1"), ("panel-r1", "duo-r1")):
            confers(parley.upstream)
            draw(parley, *pair)
            shown[pair], session_id = await look_at_a_battle(parley, ["", ""])
            assert await seated(parley, session_id) == set(pair)
        ordinary = shown["ada", "bob"]
        for pair, seen in shown.items():
            everything = b"".join(seen).lower()
            for inner in (b"inner words", b"canar", b"fringilla", b"judge-", b"duo", b"moderator"):
                assert inner not in everything, f"{inner!r} of {pair}"
            differing = [both for both in zip(ordinary, seen, strict=True) if both[0] != both[1]]
            assert differing == [], f"{pair} can be told from two models"


async def test_after_the_vote_each_side_shows_how_its_own_answer_was_made(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS, pacing="natural") as parley:
        await save_all(parley)
        confers(parley.upstream)
        parley.upstream.release()
        draw(parley, "duo-r1", "long-r1")
        battle = await parley.battle("Tea or coffee?")
        path = f"/api/turns/{battle['turn_id']}/inner-replies"
        assert (await parley.get(path, 409))["code"] == "still_blind"
        await parley.vote(battle["match_id"], "left")
        inner = (await parley.get(path))["replies"]
        seats = await parley.seats(battle["session_id"], 0)
        assert set(seats.values()) == {"duo-r1", "long-r1"}
        turn = (await parley.get(f"/api/turns/{battle['turn_id']}"))["turn"]
        calls = {"duo-r1": 2 * 1 + 1, "long-r1": 3 * 3 + 1}
        for reply in turn["replies"]:
            mine = [each for each in inner if each["parent_reply_id"] == reply["id"]]
            assert len(mine) == calls[seats[reply["seat"]]]
            assert {each["path"].split(".")[0] for each in mine} == {reply["seat"]}
