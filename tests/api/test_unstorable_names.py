"""Names that no database can hold: an error with its place on every kind of database, and nothing else is lost."""

from typing import Any

import msgspec
import pytest

from tests.api.test_session_files import imported, texts
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

pytestmark = ON_EVERY_KIND

PRESET = {"mode": "chat", "seats": {"assistant": "ada"}}

MESSAGES = {"messages": [{"role": "user", "text": "x"}]}


def escaped(body: Any) -> bytes:
    """Return JSON in ASCII, which can hold halves of characters."""
    marked = msgspec.json.encode(body).decode()
    return marked.replace("NUL", "\\u0000").replace("HALF", "\\ud800").encode()


@pytest.mark.parametrize("odd", ["NUL", "HALF"])
async def test_a_name_that_cannot_be_stored_names_its_field(parley: RunningParley, odd: str) -> None:
    session = (await parley.chat())["session_id"]
    preset = await parley.post("/api/presets", {"name": "Mine", **PRESET})
    prompt = await parley.post("/api/prompts", {"name": "Mine", **MESSAGES})
    requests: list[tuple[str, str, dict[str, Any], str]] = [
        ("PATCH", f"/api/sessions/{session}", {"title": f"a{odd}b"}, "title"),
        ("PATCH", f"/api/sessions/{session}", {"tags": ["fine", f"a{odd}b"]}, "tags.1"),
        ("POST", "/api/sessions/changes", {"ids": [session], "add_tags": [f"{odd}"]}, "add_tags.0"),
        ("POST", "/api/presets", {"name": f"a{odd}b", **PRESET}, "name"),
        ("PATCH", f"/api/presets/{preset['id']}", {"name": f"a{odd}b"}, "name"),
        ("POST", "/api/prompts", {"name": f"{odd}b", **MESSAGES}, "name"),
        ("PATCH", f"/api/prompts/{prompt['prompt']['id']}", {"name": f"a{odd}"}, "name"),
    ]
    for method, path, body, field in requests:
        response = await parley.client.request(
            method, path, content=escaped(body), headers={"Content-Type": "application/json"}
        )
        assert response.status_code == 422, (path, response.text)
        assert field in str(response.json()["errors"]).replace("[", ".").replace("]", ""), response.text


@pytest.mark.parametrize("odd", ["\\u0000", "\\ud800"])
async def test_odd_names_in_a_file_cost_no_conversation(parley: RunningParley, odd: str) -> None:
    said = '[{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So.", "name": "aODD"}]'
    fields = (
        '"title": "One", "tags": ["fine", "aODDb"]',
        '"title": "Two", "id": "aODDb", "model": "ODD"',
        '"title": "Three", "id": "xODD", "branch_of": "aODDb"',
        '"title": "FourODD"',
    )
    sessions = ", ".join(f'{{{each}, "messages": {said}}}' for each in fields)
    body = f'{{"format": "parley-sessions", "version": 1, "sessions": [{sessions}]}}'.replace("ODD", odd)
    report = await imported(parley, body.encode())
    assert (report["imported"], report["unreadable"]) == (4, 0)
    notes = [(note["place"], note["text"]) for note in report["notes"]]
    assert any(place == 1 and text.startswith("tag 2 has characters") for place, text in notes)
    assert any(place == 4 and text.startswith("its title has characters") for place, text in notes)
    assert {place for place, text in notes if "model’s name" in text} == {1, 2, 3, 4}
    assert await texts(parley, "Three") == [("Why?", ["So."])]
    (card,) = (await parley.get("/api/sessions?tag=fine"))["sessions"]
    assert card["tags"] == ["fine"]


@pytest.mark.parametrize("field", ["search", "tag", "mode", "cursor"])
async def test_a_filter_with_a_nul_finds_nothing_or_is_refused(parley: RunningParley, field: str) -> None:
    response = await parley.client.get(f"/api/sessions?{field}=a%00b")
    assert response.status_code in (200, 422), response.text
