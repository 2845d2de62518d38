"""Tests of files of sessions over HTTP: what is exported, what is imported, and what is refused."""

import asyncio
import io
import re
import time
import zipfile
from typing import Any

import msgspec
import pytest

from parley.features.session_files import service, transcript
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
    assert report == {"imported": 3, "already_here": 0, "unreadable": 0, "skipped": [], "notes": []}
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
    assert found["models"] == {"ada": "ada"}
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


async def test_a_web_page_can_have_its_texts_as_they_were_written(parley: RunningParley) -> None:
    parley.upstream.reply("\n**bold** $x^2$ </pre><script>alert(1)</script>")
    session = (await parley.chat("Why?"))["session_id"]
    body = {"ids": [session], "format": "html", "texts": "source"}
    page = (await parley.client.post("/api/sessions/export", json=body)).text
    assert '<pre class="plain" data-markdown>\nWhy?</pre>' in page
    assert "**bold** $x^2$ &lt;/pre&gt;&lt;script&gt;" in page
    assert "<script" not in page


@pytest.mark.parametrize("kind", ["markdown", "json", "html"])
async def test_an_export_of_a_blind_battle_names_no_model(parley: RunningParley, kind: str) -> None:
    parley.upstream.reply("An answer.")
    battle = await parley.battle("Which?")
    chat = await parley.chat("Another question", model="cleo")
    shown = (await exported(parley, kind, battle["session_id"])).text
    assert "An answer." in shown
    words = re.sub(r"[0-9a-f]{32,}", "", shown.lower())  # an id may spell a name
    assert not [name for name in ("ada", "bob", "cleo", "labs") if name in words]
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
    assert first["reason"] == "it has no text from a person or a model"
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


async def test_a_zip_of_chatgpt_is_imported_and_a_bomb_is_refused(parley: RunningParley) -> None:
    whole = packed(export__conversations_json=msgspec.json.encode([CHATGPT]), chat_html=b"x")
    assert (await imported(parley, whole))["imported"] == 1
    response = await send(parley, packed(conversations_json=b" " * (40 << 20)), name="bomb.zip")
    assert response.status_code == 422
    assert "is too large when unpacked" in response.json()["title"]


async def test_texts_that_no_database_can_hold_are_mended(parley: RunningParley) -> None:
    messages = [{"role": "user", "content": "a\x00b"}, {"role": "assistant", "content": "ok"}]
    await imported(parley, [{"title": "Mended\x00", "messages": messages}])
    assert (await texts(parley, "Mended\ufffd")) == [("a\ufffdb", ["ok"])]


def test_a_transcript_calls_seats_by_their_models_where_a_prompt_gave_them_numbers() -> None:
    named = transcript._named("Member 1 agrees, Member 10 and Member 2 don’t.", {"Member 1": "Ada"})
    assert named == "Ada agrees, Member 10 and Member 2 don’t."


async def spoken(parley: RunningParley, title: str) -> list[tuple[str, str, str, str]]:
    """Return model, system prompt, question and answer of each turn."""
    cards = (await parley.get("/api/sessions?archived=true"))["sessions"]
    session = next(card["id"] for card in cards if card["title"] == title)
    found: list[tuple[str, str, str, str]] = []
    for record in (await parley.get(f"/api/sessions/{session}"))["matches"]:
        (seat,) = record["match"]["seats"]
        rules = (seat["settings"] or {}).get("system_prompt") or ""
        found += [
            (
                seat["model"]["name"],
                rules,
                turn["input"]["text"],
                "".join(each["text"] for each in turn["replies"]),
            )
            for turn in record["turns"]
        ]
    return found


async def moved(parley: RunningParley, *ids: str) -> None:
    """Export sessions, forget everything here, and import them again."""
    whole = (await exported(parley, "json", *ids)).content
    await parley.client.delete("/api/data?confirm=delete")
    report = await imported(parley, whole)
    assert report["skipped"] == []


async def go_on(parley: RunningParley, session: str, after: Any, prompt: str, model: str, **more: Any) -> Any:
    parent = {"turn_id": after["turn_id"], "seat": "assistant"}
    body = {"prompt": prompt, "mode": "chat", "seats": {"assistant": model}, "continue_from": parent, **more}
    return await parley.post(f"/api/sessions/{session}/matches", body)


async def test_an_ordinary_answer_is_exported_as_it_was_written(parley: RunningParley) -> None:
    answer = "Before <answer>in</answer> after, <synthesis>too</synthesis>."
    parley.upstream.reply(answer)
    session = (await parley.chat("Show me the tags"))["session_id"]
    for kind in ("markdown", "json"):
        assert answer in (await exported(parley, kind, session)).text
    assert "Before &lt;answer&gt;in" in (await exported(parley, "html", session)).text


async def test_models_rules_flags_and_unanswered_questions_survive_a_move(parley: RunningParley) -> None:
    begun = await parley.chat("One?", seat_settings={"assistant": {"system_prompt": "Be brief."}})
    session = begun["session_id"]
    second = await go_on(parley, session, begun, "Two?", "bob")
    parley.upstream.fail(400, model="cleo")
    third = await go_on(parley, session, second, "Three?", "cleo")
    await go_on(parley, session, third, "Four?", "cleo")
    await parley.client.patch(f"/api/sessions/{session}", json={"pinned": True, "archived": True})
    before = await spoken(parley, "One?")
    await moved(parley, session)
    assert await spoken(parley, "One?") == before
    (card,) = (await parley.get("/api/sessions?archived=true"))["sessions"]
    assert card["pinned"]
    assert [each[0] for each in before] == ["Ada", "Bob", "Cleo", "Cleo"]
    assert [each[1] for each in before] == ["Be brief.", "", "", ""]


async def test_branches_are_exported_apart(parley: RunningParley) -> None:
    for answer in ("First.", "Left.", "Edited.", "Onward."):
        parley.upstream.reply(answer)
    begun = await parley.chat("One?")
    session, match = begun["session_id"], begun["match_id"]
    await parley.post(f"/api/matches/{match}/turns", {"input": {"text": "Two?"}})
    edited = await go_on(parley, session, begun, "Two, edited?", "ada")
    await go_on(parley, session, edited, "Three?", "bob")
    shown = (await exported(parley, "markdown", session)).text
    places = [
        shown.index(each) for each in ("Edited.", "Onward.", "Another branch, after question 1", "Left.")
    ]
    assert places == sorted(places)
    assert shown.count("First.") == 1
    assert shown.count("## 2. Question") == 2
    page = (await exported(parley, "html", session)).text
    assert page.index("Onward.") < page.index("Another branch, after question 1") < page.index("Left.")
    found = msgspec.json.decode((await exported(parley, "json", session)).content)["sessions"]
    assert [[message["content"] for message in each["messages"]] for each in found] == [
        ["One?", "First.", "Two, edited?", "Edited.", "Three?", "Onward."],
        ["One?", "First.", "Two?", "Left."],
    ]
    assert [each["title"] for each in found] == ["One?", "One? (branch 1)"]
    # Here, a branch is part of its session; elsewhere it becomes one of its own.
    whole = {"format": "parley-sessions", "sessions": found}
    assert (await imported(parley, whole))["already_here"] == 2
    await parley.client.delete("/api/data?confirm=delete")
    assert (await imported(parley, whole))["imported"] == 2
    assert (await imported(parley, whole))["already_here"] == 2


async def test_an_answer_that_leaves_its_code_open_ends_there(parley: RunningParley) -> None:
    parley.upstream.reply("Run:\n~~~python\nprint(1)\n```\n~~~x")
    parley.upstream.reply("Done.")
    begun = await parley.chat("One?")
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "Two?"}})
    assert "~~~x\n~~~\n\n## 2. Question" in (await exported(parley, "markdown", begun["session_id"])).text


def grown(*texts: str) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]
    return [{"id": "x", "title": "Grown", "messages": messages}]


async def test_a_conversation_that_was_deleted_is_imported_as_the_file_has_it(parley: RunningParley) -> None:
    await imported(parley, grown("One?", "First."))
    assert (await imported(parley, grown("One?", "First.", "Two?", "Second.")))["already_here"] == 1
    session = (await parley.get("/api/sessions"))["sessions"][0]["id"]
    await parley.client.delete(f"/api/sessions/{session}")
    assert (await imported(parley, grown("One?", "First.", "Two?", "Second.")))["imported"] == 1
    assert await texts(parley, "Grown") == [("One?", ["First."]), ("Two?", ["Second."])]
    # An older file brings back what is here, which has more.
    await parley.client.delete(f"/api/sessions/{session}")
    assert (await imported(parley, grown("One?", "First.")))["imported"] == 1
    assert len(await texts(parley, "Grown")) == 2


async def test_half_characters_and_nan_cost_no_conversation(parley: RunningParley) -> None:
    half = (
        rb'{"title": "Half \ud83d", "create_time": NaN, "messages": [{"role": "user", '
        rb'"content": "NaN \\ud83d \ud83d\ude00"}, {"role": "assistant", "content": "\udc00 ok"}]}'
    )
    body = b"[" + half + b", " + msgspec.json.encode(MESSAGES) + b"]"
    assert (await imported(parley, packed(conversations_json=body)))["imported"] == 2
    assert await texts(parley, "Half \ufffd") == [("NaN \\ud83d \U0001f600", ["\ufffd ok"])]


async def test_deep_nesting_is_refused_or_left_out(parley: RunningParley) -> None:
    inner = b"[" * 50_000 + b"]" * 50_000
    deep = b'{"title": "Deep", "messages": [{"role": "user", "content": "x", "y": ' + inner + b"}]}"
    response = await send(parley, deep)
    assert response.status_code == 422, response.text
    assert response.json()["title"] == "file.json is nested too deeply."
    response = await send(parley, b"[" + deep + b", " + msgspec.json.encode(MESSAGES) + b"]")
    assert response.status_code == 200, response.text
    assert response.json()["imported"] == 1
    assert response.json()["skipped"][0]["reason"] == "it is nested too deeply"


async def test_odd_fields_cost_no_conversation(parley: RunningParley) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    odd = {
        "id": 7,
        "title": None,
        "created_at": {},
        "tags": "none",
        "model": [],
        "models": 3,
        "pinned": "yes",
    }
    chatgpt = {**CHATGPT, "title": 5, "create_time": "yesterday", "update_time": [], "conversation_id": None}
    webui = {**OPEN_WEBUI, "title": None, "created_at": "x", "meta": [], "id": None}
    report = await imported(parley, [{**odd, "messages": messages}, chatgpt, webui])
    assert (report["imported"], report["skipped"]) == (3, [])


async def test_of_chatgpt_what_was_heard_is_text_and_marks_are_left_out(parley: RunningParley) -> None:
    words = {"content_type": "audio_transcription", "text": "Say it again.", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "x"}
    heard = {"content_type": "multimodal_text", "parts": [words, sound]}
    rules = {
        "content_type": "user_editable_context",
        "user_profile": "I cook.",
        "user_instructions": "Be brief.",
    }
    files = [
        {"name": "menu.pdf", "mime_type": "application/pdf"},
        {"name": "p.png", "mime_type": "image/png"},
    ]
    whole = {
        "title": "Kitchen",
        "is_archived": True,
        "current_node": "e",
        "mapping": {
            "a": {"message": {"author": {"role": "user"}, "content": rules}, "parent": None},
            "b": {"message": {"author": {"role": "user"}, "content": heard}, "parent": "a"},
            "c": said("assistant", "Salt.\ue200cite\ue202turn0search1\ue201", "b", model_slug="gpt-4o"),
            "d": said("user", "And this?", "c", attachments=files),
            "e": said("assistant", "Pepper.", "d", model_slug="o3"),
        },
    }
    await imported(parley, [whole])
    (card,) = (await parley.get("/api/sessions?archived=true"))["sessions"]
    first, second = (await parley.get(f"/api/sessions/{card['id']}"))["matches"]
    assert first["turns"][0]["input"]["text"] == "Say it again."
    assert first["turns"][0]["replies"][0]["text"] == "Salt."
    assert first["match"]["seats"][0]["settings"]["system_prompt"] == "I cook.\n\nBe brief."
    assert second["turns"][0]["input"]["text"] == "And this?\n\n*[attachment left out: menu.pdf]*"
    assert [each["match"]["seats"][0]["model"]["name"] for each in (first, second)] == ["gpt-4o", "o3"]
    assert second["match"]["seats"][0]["continues"]["turn_id"] == first["turns"][0]["id"]


async def test_of_open_webui_pictures_leave_a_note_and_thoughts_are_apart(parley: RunningParley) -> None:
    thought = (
        '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
        "&gt; It is\n&gt; salt.\n</details>\nSalt."
    )
    asked = {"role": "user", "content": "", "files": [{"type": "image", "url": "data:,"}]}
    answered = {"role": "assistant", "content": thought, "model": "llama3:8b"}
    chat = {"params": {"system": "Be kind."}, "messages": [asked, answered]}
    await imported(parley, [{"id": "w-2", "title": "Shaker", "pinned": True, "chat": chat}])
    (card,) = (await parley.get("/api/sessions"))["sessions"]
    (record,) = (await parley.get(f"/api/sessions/{card['id']}"))["matches"]
    (turn,) = record["turns"]
    assert card["pinned"]
    assert turn["input"]["text"] == "*[attachment left out]*"
    assert (turn["replies"][0]["text"], turn["replies"][0]["reasoning"]) == ("Salt.", "It is\nsalt.")
    assert record["match"]["seats"][0]["settings"]["system_prompt"] == "Be kind."


async def test_a_branch_that_another_mode_carries_on_is_exported_too(parley: RunningParley) -> None:
    for answer in ("First.", "Edited."):
        parley.upstream.reply(answer)
    begun = await parley.chat("One?")
    session = begun["session_id"]
    await parley.post(f"/api/sessions/{session}/matches", {
        "prompt": "One, edited?", "mode": "chat", "seats": {"assistant": "ada"},
    })  # fmt: skip
    await parley.post(f"/api/sessions/{session}/matches", {
        "prompt": "And you two?", "mode": "compare", "seats": {"a": "bob", "b": "cleo"},
        "continue_from": {"turn_id": begun["turn_id"], "seat": "assistant"},
    })  # fmt: skip
    shown = (await exported(parley, "markdown", session)).text
    places = [shown.index(each) for each in ("Edited.", "And you two?", "Another branch", "First.")]
    assert places == sorted(places)


def talks(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"t-{number}",
            "title": f"Talk {number}",
            "messages": [
                {"role": "user", "content": "Why?"},
                {"role": "assistant", "content": f"word{number}x"},
            ],
        }
        for number in range(count)
    ]


async def test_what_was_imported_is_found_at_once(parley: RunningParley) -> None:
    await imported(parley, talks(60))
    for number in (0, 30, 59):
        page = await parley.get(f"/api/sessions?search=word{number}x")
        assert ([card["title"] for card in page["sessions"]], page["unsearched"]) == ([f"Talk {number}"], 0)


async def test_a_file_that_breaks_off_is_imported_as_far_as_it_goes(parley: RunningParley) -> None:
    report = await imported(parley, msgspec.json.encode(talks(5))[:-10])
    assert (report["imported"], report["unreadable"]) == (4, 1)
    (skipped,) = report["skipped"]
    assert skipped["place"] == 5
    assert skipped["reason"].endswith("is not a JSON file of conversations: it breaks off")


async def test_claude_s_zip_and_librechat_s_file_become_sessions(parley: RunningParley) -> None:
    asked = {"uuid": "1", "sender": "human", "text": "Soup?", "content": [{"type": "text", "text": "Soup?"}]}
    answered = {"uuid": "2", "sender": "assistant", "text": "Flour."}
    claude = [{"uuid": "k", "name": "Soup", "chat_messages": [asked, answered]}]
    whole = packed(conversations_json=msgspec.json.encode(claude), users_json=b"[]", projects_json=b"[]")
    assert (await imported(parley, whole))["imported"] == 1
    assert await texts(parley, "Soup") == [("Soup?", ["Flour."])]
    children = [{"messageId": "b", "text": "Green.", "isCreatedByUser": False}]
    tea = {"messageId": "a", "text": "Tea?", "isCreatedByUser": True, "children": children}
    libre = {"conversationId": "l", "title": "Tea", "options": {"model": "gpt-4o"}, "messages": [tea]}
    assert (await imported(parley, libre))["imported"] == 1
    assert (await imported(parley, libre))["already_here"] == 1
    assert await texts(parley, "Tea") == [("Tea?", ["Green."])]


async def test_other_requests_are_answered_while_a_hostile_file_is_read(parley: RunningParley) -> None:
    rules = [{"role": "system", "content": f"Rule {number}. {'x' * 600}"} for number in range(4_000)]
    asked = {"role": "user", "content": "Why?"}
    work = asyncio.create_task(
        send(parley, [{"messages": [each for rule in rules for each in (rule, asked)]}])
    )
    longest = 0.0
    while not work.done():
        began = time.monotonic()
        await parley.get("/api/sessions")
        longest = max(longest, time.monotonic() - began)
    assert (await work).status_code == 200
    assert longest < 5


async def test_of_more_models_than_can_be_new_the_others_have_no_name(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "NEW_MAX", 3)
    answers = [{"role": "assistant", "content": "So.", "name": f"new-{number}"} for number in range(6)]
    sessions = [
        {"title": f"T{number}", "messages": [talks(1)[0]["messages"][0], answers[number]]}
        for number in range(6)
    ]
    assert (await imported(parley, sessions))["imported"] == 6
    view = await parley.get("/api/sessions")
    names: set[str] = set()
    for card in view["sessions"]:
        matches = (await parley.get(f"/api/sessions/{card['id']}"))["matches"]
        names.add(matches[0]["match"]["seats"][0]["model"]["name"])
    assert names == {"new-0", "new-1", service.NO_MODEL}
