"""Tests of files of sessions over HTTP: what is exported, what is imported, and what is refused."""

import io
import zipfile
from typing import Any

import msgspec
import pytest

from parley.workspace.session_files import archive, transcript
from tests.fakes.running import Response, RunningParley

FILE = {"Content-Type": "application/octet-stream"}


def said(role: str, text: str, parent: str | None, *children: str, **metadata: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "content": content, "metadata": metadata}
    return {"message": message, "parent": parent, "children": list(children)}


CHATGPT = {
    "title": "Sky",
    "create_time": 1700000000.5,
    "update_time": 1700000100,
    "conversation_id": "c-1",
    "current_node": "d",
    "mapping": {
        "root": {"message": None, "parent": None, "children": ["s"]},
        "s": said("system", "hidden", "root", "a", is_visually_hidden_from_conversation=True),
        "a": said("user", "Why is the sky blue?", "s", "b", "x"),
        "x": said("assistant", "A branch that was left.", "a"),
        "b": said("assistant", "Because of Rayleigh.", "a", "c", model_slug="gpt-4o"),
        "c": said("user", "And at night?", "b", "d"),
        "d": said("assistant", "Then it is dark, says the walrus.", "c", model_slug="gpt-4o"),
    },
}
OPEN_WEBUI = {
    "id": "w-1",
    "title": "Sea",
    "created_at": 1700000000,
    "updated_at": 1700000001,
    "meta": {"tags": ["Nature"]},
    "chat": {
        "history": {
            "currentId": "2",
            "messages": {
                "1": {"id": "1", "role": "user", "content": "Why salt?", "parentId": None},
                "2": {"role": "assistant", "content": "Rivers.", "parentId": "1", "model": "llama3:8b"},
            },
        }
    },
}
MESSAGES = {
    "title": "Plain",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image_url"}]},
        {"role": "assistant", "content": "Hello.", "name": "ada"},
    ],
}


async def send(parley: RunningParley, body: Any, name: str = "file.json") -> Response:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return await parley.client.post(f"/api/sessions/import?name={name}", content=data, headers=FILE)


async def imported(parley: RunningParley, body: Any) -> dict[str, Any]:
    response = await send(parley, body)
    assert response.status_code == 200, response.text
    return response.json()


async def exported(parley: RunningParley, kind: str, *ids: str) -> Response:
    response = await parley.client.post("/api/sessions/export", json={"ids": list(ids), "format": kind})
    assert response.status_code == 200, response.text
    return response


async def texts(parley: RunningParley, title: str) -> list[tuple[str, list[str]]]:
    cards = (await parley.get("/api/sessions"))["sessions"]
    session = next(card["id"] for card in cards if card["title"] == title)
    view = await parley.get(f"/api/sessions/{session}")
    return [
        (turn["input"]["text"], [reply["text"] for reply in turn["replies"]])
        for record in view["matches"]
        for turn in record["turns"]
    ]


def packed(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, data in files.items():
            whole.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return buffer.getvalue()


async def test_chats_of_other_programs_become_sessions(parley: RunningParley) -> None:
    report = await imported(parley, [CHATGPT, OPEN_WEBUI, MESSAGES])
    assert report == {"imported": 3, "already_here": 0, "unreadable": 0, "skipped": []}
    assert await texts(parley, "Sky") == [
        ("Why is the sky blue?", ["Because of Rayleigh."]),
        ("And at night?", ["Then it is dark, says the walrus."]),
    ]
    assert await texts(parley, "Sea") == [("Why salt?", ["Rivers."])]
    assert await texts(parley, "Plain") == [("Hi\n\n*[attachment left out]*", ["Hello."])]
    (card,) = (await parley.get("/api/sessions?tag=nature"))["sessions"]
    assert (card["title"], card["created_at"]) == ("Sea", "2023-11-14T22:13:20+00:00")
    (card,) = (await parley.get("/api/sessions?search=walrus"))["sessions"]
    view = (await parley.get(f"/api/sessions/{card['id']}"))["matches"][0]
    assert (card["title"], card["excerpt_turn_id"]) == ("Sky", view["turns"][1]["id"])
    seat = view["match"]["seats"][0]
    assert (seat["model"]["name"], seat["model"]["enabled"]) == ("gpt-4o", False)


async def test_an_imported_chat_is_continued_by_a_model_that_is_here(parley: RunningParley) -> None:
    await imported(parley, [CHATGPT, MESSAGES])
    cards = (await parley.get("/api/sessions"))["sessions"]
    ids = {card["title"]: card["id"] for card in cards}
    view = await parley.get(f"/api/sessions/{ids['Sky']}")
    parent = {"turn_id": view["matches"][0]["turns"][-1]["id"], "seat": "assistant"}
    body = {"prompt": "Go on", "mode": "chat", "seats": {"assistant": "bob"}, "continue_from": parent}
    await parley.post(f"/api/sessions/{ids['Sky']}/matches", body)
    sent = parley.upstream.chats[-1].json["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user", "assistant", "user"]
    assert sent[1]["content"] == "Because of Rayleigh."
    view = await parley.get(f"/api/sessions/{ids['Plain']}")
    match = view["matches"][0]["match"]
    await parley.post(f"/api/matches/{match['id']}/turns", {"input": {"text": "Again"}})
    sent = parley.upstream.chats[-1].json
    assert sent["model"] == "ada"
    assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "user"]


async def test_nothing_is_imported_twice(parley: RunningParley) -> None:
    both = [CHATGPT, CHATGPT, MESSAGES]
    assert (await imported(parley, both))["imported"] == 2
    report = await imported(parley, both)
    assert (report["imported"], report["already_here"]) == (0, 3)
    session = (await parley.get("/api/sessions"))["sessions"][0]["id"]
    await parley.client.delete(f"/api/sessions/{session}")
    assert (await imported(parley, both))["imported"] == 1
    assert len((await parley.get("/api/sessions"))["sessions"]) == 2


async def test_an_export_is_imported_again_elsewhere_and_only_there(parley: RunningParley) -> None:
    parley.upstream.reply("Because of Rayleigh.")
    session = (await parley.chat("Why is the **sky** blue?"))["session_id"]
    await parley.client.patch(f"/api/sessions/{session}", json={"tags": ["sky"]})
    whole = (await exported(parley, "json", session)).content
    assert (await imported(parley, msgspec.json.decode(whole)))["already_here"] == 1
    found = msgspec.json.decode(whole)["sessions"][0]
    assert found["messages"] == [
        {"role": "user", "content": "Why is the **sky** blue?"},
        {"role": "assistant", "content": "Because of Rayleigh.", "name": "ada"},
    ]
    await parley.client.delete("/api/data?confirm=delete")
    assert (await imported(parley, msgspec.json.decode(whole)))["imported"] == 1
    assert await texts(parley, "Why is the sky blue?") == [
        ("Why is the **sky** blue?", ["Because of Rayleigh."])
    ]
    assert (await parley.get("/api/sessions"))["sessions"][0]["tags"] == ["sky"]


async def test_a_web_page_shows_texts_and_runs_nothing(parley: RunningParley) -> None:
    evil = (
        "<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) "
        "![p](https://example.org/p.png) **bold**"
    )
    parley.upstream.reply(evil)
    session = (await parley.chat("</title><script>alert(2)</script>"))["session_id"]
    page = (await exported(parley, "html", session)).text
    assert "<script" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert "src=" not in page.replace("&lt;img src=x", "")
    assert "<strong>bold</strong>" in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize("kind", ["markdown", "json", "html"])
async def test_an_export_of_a_blind_battle_names_no_model(parley: RunningParley, kind: str) -> None:
    parley.upstream.reply("An answer.")
    battle = await parley.battle("Which?")
    chat = await parley.chat("Another question", model="cleo")
    shown = (await exported(parley, kind, battle["session_id"])).text
    assert "An answer." in shown
    assert not [name for name in ("ada", "bob", "cleo", "Labs") if name in shown.lower()]
    both = (await exported(parley, kind, battle["session_id"], chat["session_id"])).text
    assert "Another question" in both
    await parley.vote(battle["match_id"])
    shown = (await exported(parley, kind, battle["session_id"])).text
    assert "Assistant" not in shown
    assert ("Vote: " in shown) is (kind != "json")


async def test_an_export_names_its_file_after_the_session(parley: RunningParley) -> None:
    session = (await parley.chat('Why is "the sky" blue?\r\nX: y'))["session_id"]
    response = await exported(parley, "markdown", session)
    assert response.headers["content-disposition"] == 'attachment; filename="why-is-the-sky-blue.md"'
    assert response.text.startswith('# Why is "the sky" blue?\n\n## 1. Question\n\n> Why is')
    gone = await parley.client.post("/api/sessions/export", json={"ids": ["0" * 32]})
    assert gone.status_code == 404


async def test_what_cannot_be_read_is_named_and_the_rest_is_imported(parley: RunningParley) -> None:
    circle = {"title": "Circle", "current_node": "a", "mapping": {"a": said("user", "x", "a")}}
    wrong = {"title": "Wrong", "messages": [{"role": "user", "content": 7}]}
    report = await imported(parley, [wrong, MESSAGES, circle, {"title": "Empty", "messages": []}, {}, 5])
    assert (report["imported"], report["unreadable"]) == (1, 5)
    first = report["skipped"][0]
    assert (first["place"], first["title"]) == (1, "Wrong")
    assert "$.messages[0].content" in first["reason"]
    assert "loop" in report["skipped"][1]["reason"]
    assert [each["place"] for each in report["skipped"]] == [1, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"not json", "is not a JSON file of conversations"),
        (b"[]", "has no conversations"),
        (b'{"a": 1', "is not a JSON file of conversations"),
        (b"PK\x03\x04 broken", "can't be unpacked"),
        (packed(other_json=b"[]"), "has no conversations.json"),
    ],
)
async def test_a_file_that_is_none_is_refused_with_its_name(
    parley: RunningParley, body: bytes, why: str
) -> None:
    response = await send(parley, body, name="mine.zip")
    assert response.status_code == 422
    problem = response.json()
    assert problem["title"].startswith("mine.zip")
    assert why in problem["title"]
    assert "Nothing was imported" in problem["detail"]
    assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_a_zip_of_chatgpt_is_imported_and_a_bomb_is_refused(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = packed(export__conversations_json=msgspec.json.encode([CHATGPT]), chat_html=b"x")
    assert (await imported(parley, whole))["imported"] == 1
    monkeypatch.setattr(archive, "FREE_BYTES", 1 << 10)
    response = await send(parley, packed(conversations_json=b" " * (1 << 22)), name="bomb.zip")
    assert response.status_code == 422
    assert "is too large when unpacked" in response.json()["title"]


async def test_texts_that_no_database_can_hold_are_mended(parley: RunningParley) -> None:
    messages = [{"role": "user", "content": "a\x00b"}, {"role": "assistant", "content": "ok"}]
    await imported(parley, [{"title": "Mended\x00", "messages": messages}])
    assert (await texts(parley, "Mended\ufffd")) == [("a\ufffdb", ["ok"])]


def test_an_answer_is_exported_without_the_elements_that_a_mode_asked_for() -> None:
    member = "<thinking>Hm.</thinking><answer>Use **it**.</answer><confidence>0.8</confidence>"
    assert transcript._answer(member) == "Use **it**.\n\n**Confidence:** 0.8"
    arbiter = "<synthesis_output><synthesis>Both.</synthesis><dissent></dissent></synthesis_output>"
    assert transcript._answer(arbiter) == "Both."
    assert transcript._answer("Write <div> here.\n") == "Write <div> here."


def test_a_transcript_calls_seats_by_their_models_where_a_prompt_gave_them_numbers() -> None:
    named = transcript._named("Member 1 agrees, Member 10 and Member 2 don’t.", {"Member 1": "Ada"})
    assert named == "Ada agrees, Member 10 and Member 2 don’t."
