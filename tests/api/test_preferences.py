"""Preferences over HTTP: saved for each person, exported and erased with all that is theirs."""

from tests.fakes.running import RunningParley

PATH = "/api/preferences"
NOTHING = {"instructions": None, "model": None}


async def put(parley: RunningParley, **preferences: str | None) -> dict[str, str | None]:
    response = await parley.client.put(PATH, json=preferences)
    assert response.status_code == 200, response.text
    return response.json()


async def test_what_was_saved_is_there_and_what_is_left_out_is_removed(parley: RunningParley) -> None:
    assert await parley.get(PATH) == NOTHING
    saved = {"instructions": "Answer in French.", "model": "ada"}
    assert await put(parley, instructions=" Answer in French. ", model="ada") == saved
    assert await parley.get(PATH) == saved
    assert await put(parley, model="bob") == {"instructions": None, "model": "bob"}
    assert await put(parley, instructions="  ", model="") == NOTHING
    assert await parley.get(PATH) == NOTHING


async def test_instructions_over_the_limit_name_their_field(parley: RunningParley) -> None:
    response = await parley.client.put(PATH, json={"instructions": "x" * 200_001})
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "instructions"


async def test_preferences_are_exported_and_erased_with_all_data(parley: RunningParley) -> None:
    await put(parley, instructions="Be brief.")
    export = await parley.client.get("/api/data/export")
    assert '"instructions":"Be brief."' in export.text
    erased = await parley.client.delete("/api/data?confirm=delete")
    assert erased.status_code == 200, erased.text
    assert await parley.get(PATH) == NOTHING
