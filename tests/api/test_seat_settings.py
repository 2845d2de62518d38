"""Settings of seats over HTTP: how each model is asked, in matches, turns, retries and presets."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

CAREFUL = {
    "temperature": 0.2,
    "max_output_tokens": 50,
    "system_prompt": "Be careful.",
    "reasoning_effort": None,
    "picture": None,
}
CHAT: dict[str, Any] = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}


def asked(parley: RunningParley) -> dict[str, Any]:
    """How the last call was asked, with what it heard."""
    body = parley.upstream.chats[-1].json
    heard = [f"{message['role']}: {message['content']}" for message in body["messages"]]
    limit = body.get("max_tokens", body.get("max_completion_tokens"))
    return {"temperature": body.get("temperature"), "limit": limit, "heard": heard}


async def test_a_seat_is_asked_by_its_settings_in_every_turn(parley: RunningParley) -> None:
    parley.upstream.reply("One.", model="ada", times=3)
    begun = await parley.post("/api/sessions", {**CHAT, "seat_settings": {"assistant": CAREFUL}})
    assert asked(parley) == {
        "temperature": 0.2,
        "limit": 50,
        "heard": ["system: Be careful.", "user: Hello"],
    }
    turns = f"/api/matches/{begun['match_id']}/turns"
    await parley.post(turns, {"input": {"type": "prompt", "text": "And?"}})
    assert asked(parley) == {
        "temperature": 0.2,
        "limit": 50,
        "heard": ["system: Be careful.", "user: Hello", "assistant: One.", "user: And?"],
    }
    seen = await parley.get(f"/api/sessions/{begun['session_id']}")
    assert [seat["settings"] for seat in seen["matches"][0]["match"]["seats"]] == [CAREFUL]


async def test_a_seat_without_settings_is_asked_as_ever(parley: RunningParley) -> None:
    for given in ({}, {"seat_settings": None}, {"seat_settings": {}}, {"seat_settings": {"assistant": {}}}):
        begun = await parley.post("/api/sessions", {**CHAT, **given})
        assert asked(parley) == {"temperature": None, "limit": None, "heard": ["user: Hello"]}
        seen = await parley.get(f"/api/turns/{begun['turn_id']}")
        assert seen["match"]["seats"][0]["settings"] is None


async def test_a_seats_own_rules_stand_in_place_of_the_chats(parley: RunningParley) -> None:
    brief = {"system_prompt": "Be brief."}
    await parley.post("/api/sessions", {**CHAT, "brief": brief, "seat_settings": {"assistant": CAREFUL}})
    assert asked(parley)["heard"] == ["system: Be careful.", "user: Hello"]
    warm = {"assistant": {"temperature": 1}}
    await parley.post("/api/sessions", {**CHAT, "brief": brief, "seat_settings": warm})
    assert asked(parley) == {"temperature": 1, "limit": None, "heard": ["system: Be brief.", "user: Hello"]}


async def test_a_retry_asks_by_the_same_settings(parley: RunningParley) -> None:
    parley.upstream.fail(401, model="ada")
    begun = await parley.post("/api/sessions", {**CHAT, "seat_settings": {"assistant": CAREFUL}})
    assert begun["status"] == "completed"
    again = await parley.post(f"/api/turns/{begun['turn_id']}/retry")
    assert again["status"] == "completed"
    assert asked(parley)["temperature"] == 0.2


async def test_rules_of_a_seat_are_part_of_the_quote(parley: RunningParley) -> None:
    plain = await parley.post("/api/quote", CHAT)
    ruled = {"assistant": {"system_prompt": "Be careful. " * 500}}
    longer = await parley.post("/api/quote", {**CHAT, "seat_settings": ruled})
    assert longer["cost_usd_least"] > plain["cost_usd_least"]


async def test_a_token_limit_lowers_the_quote(parley: RunningParley) -> None:
    plain = await parley.post("/api/quote", CHAT)
    costs = [
        (
            await parley.post(
                "/api/quote", {**CHAT, "seat_settings": {"assistant": {"max_output_tokens": most}}}
            )
        )["cost_usd_most"]
        for most in (50, 5000)
    ]
    assert costs[0] < plain["cost_usd_most"] / 2
    assert costs[1] == plain["cost_usd_most"]


async def test_what_a_seat_reads_of_earlier_turns_is_part_of_the_quote(parley: RunningParley) -> None:
    plain = await parley.post("/api/quote", CHAT)
    longer = await parley.post("/api/quote", {**CHAT, "history_tokens": {"assistant": 100_000}})
    other = await parley.post("/api/quote", {**CHAT, "history_tokens": {"other": 100_000}})
    price = (await parley.post("/api/quote", {**CHAT, "attached_tokens": 100_000}))["cost_usd_least"]
    assert plain["cost_usd_least"] == other["cost_usd_least"] < longer["cost_usd_least"] == price
    assert "Earlier turns are not counted." in plain["assumptions"]
    assert "Earlier turns are not counted." not in longer["assumptions"]
    wrong = await parley.post("/api/quote", {**CHAT, "history_tokens": {"assistant": -1}}, status=422)
    assert wrong["errors"][0]["field"] == "history_tokens.assistant"


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seat_settings": {"assistant": {"temperature": 2.1}}}, "seat_settings.assistant.temperature"),
        ({"seat_settings": {"assistant": {"temperature": -1}}}, "seat_settings.assistant.temperature"),
        ({"seat_settings": {"assistant": {"temperature": "hot"}}}, "seat_settings.assistant.temperature"),
        (
            {"seat_settings": {"assistant": {"max_output_tokens": 0}}},
            "seat_settings.assistant.max_output_tokens",
        ),
        ({"seat_settings": {"assistant": {"system_prompt": 3}}}, "seat_settings.assistant.system_prompt"),
        ({"seat_settings": {"assistant": {"tools": []}}}, "seat_settings.assistant.tools"),
        ({"seat_settings": {"other": {"temperature": 1}}}, "seat_settings.other"),
        (
            {"seat_settings": {"assistant": {"reasoning_effort": "extreme"}}},
            "seat_settings.assistant.reasoning_effort",
        ),
        (
            {"seat_settings": {"assistant": {"reasoning_effort": "high"}}},
            "seat_settings.assistant.reasoning_effort",
        ),
        (
            {"mode": "battle", "seats": None, "seat_settings": {"left": {"temperature": 1}}},
            "seat_settings",
        ),
    ],
)
async def test_settings_that_cannot_be_name_their_field(
    parley: RunningParley, change: dict[str, Any], field: str
) -> None:
    for path in ("/api/sessions", "/api/quote"):
        problem = await parley.post(path, {**CHAT, **change}, status=422)
        assert problem["errors"][0]["field"] == field


async def test_a_preset_keeps_the_settings_of_its_seats(parley: RunningParley) -> None:
    saved = {"mode": "chat", "name": "Careful", "seats": {"assistant": "ada"}}
    preset = await parley.post("/api/presets", {**saved, "seat_settings": {"assistant": CAREFUL}})
    assert (preset["seat_settings"], preset["revision"]) == ({"assistant": CAREFUL}, 1)
    path = f"/api/presets/{preset['id']}"
    for change, settings, revision in (
        ({"seats": {"assistant": "bob"}}, {"assistant": CAREFUL}, 2),
        ({"seat_settings": {"assistant": CAREFUL}}, {"assistant": CAREFUL}, 2),
        ({"seat_settings": {}}, {}, 3),
    ):
        response = await parley.client.request("PATCH", path, json=change)
        assert (response.json()["seat_settings"], response.json()["revision"]) == (settings, revision)
    wrong = {**saved, "name": "Wrong", "seat_settings": {"other": CAREFUL}}
    assert (await parley.post("/api/presets", wrong, status=422))["field"] == "seat_settings.other"


async def test_a_preset_used_as_a_model_asks_its_seats_by_their_settings(
    parley: RunningParley,
) -> None:
    saved = {"mode": "chat", "name": "Careful", "seats": {"assistant": "ada"}, "contestant": True}
    preset = await parley.post("/api/presets", {**saved, "seat_settings": {"assistant": CAREFUL}})
    seats = {"assistant": preset["model_id"]}
    rules = {"assistant": {"system_prompt": "Rhyme."}}
    await parley.post("/api/sessions", {**CHAT, "seats": seats, "seat_settings": rules})
    assert asked(parley) == {
        "temperature": 0.2,
        "limit": 50,
        "heard": ["system: Be careful.", "user: Rhyme.\n\nHello"],
    }
    hot = {"assistant": {"temperature": 1}}
    problem = await parley.post("/api/sessions", {**CHAT, "seats": seats, "seat_settings": hot}, status=422)
    assert problem["field"] == "seat_settings.assistant"


@pytest.mark.databases("sqlite")
async def test_a_model_that_reasons_is_asked_at_the_chosen_effort(tmp_path: Path) -> None:
    thinker = ModelSpec("ada", capabilities=("text", "reasoning"))
    async with a_running_parley(tmp_path, models=(thinker, "bob")) as parley:
        settings = {"seat_settings": {"assistant": {"reasoning_effort": "low"}}}
        begun = await parley.post("/api/sessions", {**CHAT, **settings})
        assert parley.upstream.chats[-1].json["reasoning_effort"] == "low"
        seen = await parley.get(f"/api/turns/{begun['turn_id']}")
        assert seen["match"]["seats"][0]["settings"]["reasoning_effort"] == "low"
        await parley.post("/api/sessions", CHAT)
        assert "reasoning_effort" not in parley.upstream.chats[-1].json
