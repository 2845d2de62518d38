"""Blindness with an ensemble on both seats: two teams, or a team and a consortium."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.api.test_blindness import TAGGED, Canary, _look_at_a_battle
from tests.fakes import consortium_talk
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

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


async def seated(parley: RunningParley, session_id: str) -> frozenset[str]:
    return frozenset((await parley.seats(session_id, 0)).values())


async def test_battles_between_ensembles_look_like_one_between_models(tmp_path: Path) -> None:
    """The same text from two models, two teams, or a team and a consortium: every answer and header is the same."""
    async with a_running_parley(tmp_path, models=MODELS, pacing="even") as parley:
        parley.upstream.reply("An earlier answer.")
        await parley.chat(model="ada")
        await save_all(parley)
        shown: dict[frozenset[str], list[bytes]] = {}
        wanted = {frozenset(pair) for pair in (("ada", "bob"), ("duo-r1", "long-r1"), ("duo-r1", "panel-r1"))}
        for _ in range(100):
            confers(parley.upstream)
            seen, session_id = await _look_at_a_battle(parley, ["", ""])
            pair = await seated(parley, session_id)
            shown.setdefault(pair, seen)
            if wanted <= shown.keys():
                break
        assert wanted <= shown.keys()
        ordinary = shown[frozenset(("ada", "bob"))]
        for pair, seen in shown.items():
            everything = b"".join(seen).lower()
            for inner in (b"inner words", b"canar", b"fringilla", b"judge-", b"duo", b"moderator"):
                assert inner not in everything, f"{inner!r} of {sorted(pair)}"
            differing = [both for both in zip(ordinary, seen, strict=True) if both[0] != both[1]]
            assert differing == [], f"{sorted(pair)} can be told from two models"


async def test_after_the_vote_each_side_shows_how_its_own_answer_was_made(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS, pacing="natural") as parley:
        await save_all(parley)
        battle: dict[str, Any] = {}
        for _ in range(100):
            confers(parley.upstream)
            parley.upstream.release()
            battle = await parley.battle("Tea or coffee?")
            if await seated(parley, battle["session_id"]) == {"duo-r1", "long-r1"}:
                break
        path = f"/api/turns/{battle['turn_id']}/inner-replies"
        assert (await parley.get(path, 409))["code"] == "still_blind"
        await parley.vote(battle["match_id"], "left")
        inner = (await parley.get(path))["replies"]
        seats = await parley.seats(battle["session_id"], 0)
        assert set(seats.values()) == {"duo-r1", "long-r1"}, "the two teams never met"
        turn = (await parley.get(f"/api/turns/{battle['turn_id']}"))["turn"]
        calls = {"duo-r1": 2 * 1 + 1, "long-r1": 3 * 3 + 1}
        for reply in turn["replies"]:
            mine = [each for each in inner if each["parent_reply_id"] == reply["id"]]
            assert len(mine) == calls[seats[reply["seat"]]]
            assert {each["path"].split(".")[0] for each in mine} == {reply["seat"]}
