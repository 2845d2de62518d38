"""Sessions that are exported and imported again: nothing changes, in any format nothing is lost or mixed up."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from markdown_it import MarkdownIt

from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import Response, RunningParley

FILE = {"Content-Type": "application/octet-stream"}
ANSWER = (
    "Use <answer>42</answer> here.\n\n<synthesis>Both</synthesis> <updated_response>new</updated_response>"
)


async def send(parley: RunningParley, body: Any) -> dict[str, Any]:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    response = await parley.client.post("/api/sessions/import?name=f", content=data, headers=FILE)
    assert response.status_code == 200, response.text
    return response.json()


async def export(parley: RunningParley, kind: str, *ids: str) -> Response:
    response = await parley.client.post("/api/sessions/export", json={"ids": list(ids), "format": kind})
    assert response.status_code == 200, response.text
    return response


async def exported(parley: RunningParley, session: str) -> dict[str, Any]:
    return (await export(parley, "json", session)).json()["sessions"][0]


async def ids(parley: RunningParley, **asked: str) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return [card["id"] for card in (await parley.get(f"/api/sessions?{query}"))["sessions"]]


async def renewed(parley: RunningParley, *sessions: str) -> bytes:
    """Export sessions, erase everything, import them, and return the export."""
    whole = (await export(parley, "json", *sessions)).content
    await parley.client.delete("/api/data?confirm=delete")
    assert (await send(parley, whole))["imported"] == len(sessions)
    return whole


def content_of(session: dict[str, Any]) -> dict[str, Any]:
    """What an export says, without what is given anew."""
    return {name: value for name, value in session.items() if name not in ("id", "mode")}


def headings(markdown: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]


def roles(messages: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in messages]


def answering(parley: RunningParley, text: str) -> None:
    """Let the next answer be this one: the latest is repeated while no other follows."""
    parley.upstream.forget()
    parley.upstream.reply(text)


async def branch(parley: RunningParley, session: str, turn: str, prompt: str, model: str = "ada") -> Any:
    if not prompt.startswith("Unanswered"):
        answering(parley, f"Answer to {prompt}")
    body = {
        "prompt": prompt,
        "mode": "chat",
        "seats": {"assistant": model},
        "continue_from": {"turn_id": turn, "seat": "assistant"},
    }
    return await parley.post(f"/api/sessions/{session}/matches", body)


@pytest.mark.parametrize("kind", ["markdown", "json"])
async def test_elements_in_an_ordinary_answer_are_exported_as_they_are(
    parley: RunningParley, kind: str
) -> None:
    parley.upstream.reply(ANSWER)
    chat, battle = await parley.chat("How do I mark an answer?"), await parley.battle("And in a battle?")
    for session in (chat["session_id"], battle["session_id"]):
        text = (await export(parley, kind, session)).text
        assert (ANSWER if kind == "markdown" else msgspec.json.encode(ANSWER).decode()) in text
        page = (await export(parley, "html", session)).text
        assert "&lt;answer&gt;42&lt;/answer&gt;" in page


async def test_a_round_trip_keeps_rules_models_marks_and_open_questions(parley: RunningParley) -> None:
    parley.upstream.reply("One", model="ada")
    chat = await parley.chat("First", seat_settings={"assistant": {"system_prompt": "Be brief."}})
    session = chat["session_id"]
    parley.upstream.forget()
    parley.upstream.fail(500)
    second = await branch(parley, session, chat["turn_id"], "Unanswered", model="bob")
    await branch(parley, session, second["turn_id"], "Third", model="cleo")
    marks = {"tags": ["a tag", "ß"], "pinned": True, "archived": True, "title": "A “title” <b>"}
    await parley.client.patch(f"/api/sessions/{session}", json=marks)
    before = await exported(parley, session)
    assert roles(before["messages"]) == [
        ("system", "Be brief."),
        ("user", "First"),
        ("assistant", "One"),
        ("system", ""),
        ("user", "Unanswered"),
        ("assistant", ""),
        ("user", "Third"),
        ("assistant", "Answer to Third"),
    ]
    await renewed(parley, session)
    (again,) = await ids(parley, archived="true")
    assert content_of(await exported(parley, again)) == content_of(before)
    view = await parley.get(f"/api/sessions/{again}")
    assert [record["match"]["seats"][0]["model"]["id"] for record in view["matches"]] == [
        "ada",
        "bob",
        "cleo",
    ]
    assert view["session"]["pinned"]


async def test_the_export_of_all_data_is_imported_as_the_same_sessions(parley: RunningParley) -> None:
    await parley.post("/api/presets", {"mode": "chat", "name": "Mine", "seats": {"assistant": "ada"}})
    parley.upstream.reply("Line one\u2028line two")
    first = await parley.chat("First", seat_settings={"assistant": {"system_prompt": "Be brief."}})
    await branch(parley, first["session_id"], first["turn_id"], "Second", model="bob")
    await parley.battle("Which is better?")
    before = content_of(await exported(parley, first["session_id"]))
    whole = (await parley.client.get("/api/data/export")).content
    await parley.client.delete("/api/data?confirm=delete")
    report = await send(parley, whole + b'{"kind":"session","session":{"id":3}}\n{"kind":')
    assert (report["imported"], report["unreadable"]) == (2, 2)
    after = [content_of(await exported(parley, each)) for each in await ids(parley)]
    assert sorted(each["title"] for each in after) == ["First", "Which is better?"]
    assert before in after
    assert (await send(parley, whole))["already_here"] == 2
    foreign = {"kind": "chat", "messages": [{"role": "user", "content": "Hi"}]}
    assert (await send(parley, foreign))["imported"] == 1


async def test_a_deleted_session_is_restored_by_its_export_unless_that_was_edited(
    parley: RunningParley,
) -> None:
    session = (await parley.chat("Mine"))["session_id"]
    whole = (await export(parley, "json", session)).json()
    await parley.client.delete(f"/api/sessions/{session}")
    assert (await send(parley, whole))["imported"] == 1
    assert await ids(parley) == [session]
    await parley.client.delete(f"/api/sessions/{session}")
    whole["sessions"][0]["messages"][0]["content"] = "Edited"
    assert (await send(parley, whole))["imported"] == 1
    (other,) = await ids(parley)
    assert other != session
    assert roles((await exported(parley, other))["messages"])[0] == ("user", "Edited")
    assert (await send(parley, whole))["already_here"] == 1


async def test_a_chat_that_changes_models_often_is_read_whole_when_it_goes_on(parley: RunningParley) -> None:
    messages = [
        {"role": role, "content": f"{role} {number}", "name": ("ada", "bob")[number % 2]}
        for number in range(100)
        for role in ("user", "assistant")
    ]
    await send(parley, [{"title": "T", "messages": messages}])
    (session,) = await ids(parley)
    view = await parley.get(f"/api/sessions/{session}")
    match = view["matches"][-1]["match"]["id"]
    await parley.post(f"/api/matches/{match}/turns", {"input": {"text": "More"}})
    sent = [each["content"] for each in parley.upstream.chats[-1].json["messages"]]
    assert (len(sent), sent[:2]) == (201, ["user 0", "assistant 0"])
    assert sent[3] == "**bob**\n\nassistant 1"


ODD = {
    "unicode": "naïve 😀 👩‍👩‍👧 e\u0301 \u2028 \ufeff",
    "rtl": "שלום \u202eabc\u202c مرحبا",
    "huge": "x" * 999_999,
    "spaces": "  leading and trailing  \n\n",
    "fence": "```python\nprint('never closed')",
    "tildes": "~~~~\n```\nstill open",
    "comment": "<!-- never closed",
    "script": "<script>alert(1)",
    "quote": "> quoted\n> ```\n> open",
    "list": "- a\n  ```\n  open",
    "headings": "# Title\n\n## 1. Question\n\n### ada",
    "rule": "---\n\n***\n\n===",
    "elements": "<answer>x</answer><confidence>0.2</confidence>",
    "entities": "&lt;b&gt; &amp;amp; <b>",
    "json": '{"role": "user", "content": "\\ud83d"}',
    "backslash": "\\u0041 \\n \\",
    "control": "a\tb\rc\x1b[31m\x7f",
    "template": "{{x}} ${y} %s",
    "table": "| a | b |\n|---|---|\n| `x|y` | z |",
    "bold name": "**ada**\n\nsays",
}


@ON_EVERY_KIND
async def test_odd_texts_come_back_as_they_were(parley: RunningParley) -> None:
    talks = [
        {
            "id": name,
            "title": f"<i>{name}</i> “{text[:40]}”",
            "messages": [
                {"role": "system", "content": text},
                {"role": "user", "content": text},
                {"role": "assistant", "content": text, "name": "ada"},
                {"role": "user", "content": "END"},
                {"role": "assistant", "content": "LAST", "name": "bob"},
            ],
        }
        for name, text in ODD.items()
    ]
    report = await send(parley, talks)
    assert (report["imported"], report["unreadable"]) == (len(ODD), 0)
    said = {note["text"] for note in report["notes"] if "system messages beyond" not in note["text"]}
    assert said == {"its title has characters that can’t be stored, which became \N{REPLACEMENT CHARACTER}"}
    sessions = await ids(parley)
    before = {each: content_of(await exported(parley, each)) for each in sessions}
    texts = {messages["messages"][1]["content"] for messages in before.values()}
    assert texts == set(ODD.values())
    for session, found in before.items():
        text = (await export(parley, "markdown", session)).text
        page = (await export(parley, "html", session)).text
        assert f"\n\n{found['messages'][2]['content']}" in text
        assert "2. Question" in headings(text)
        assert "<script" not in page
        assert page.index("END") < page.index("LAST")
    await renewed(parley, *sessions)
    after = [content_of(await exported(parley, each)) for each in await ids(parley)]
    assert sorted(map(repr, after)) == sorted(map(repr, before.values()))
