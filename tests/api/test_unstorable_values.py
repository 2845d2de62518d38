"""Values that no database can hold or search for: an error that names them, on every kind of database."""

import re
from typing import Any

import msgspec
import pytest

from tests.api.test_unstorable_names import escaped
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.nosy_viewer import operations
from tests.fakes.running import RunningParley

pytestmark = ON_EVERY_KIND

JSON = {"Content-Type": "application/json"}
MESSAGES = {"messages": [{"role": "user", "text": "Sum up {{text}}"}]}
ASKED = [{"role": "user", "content": "x"}]


async def refused(parley: RunningParley, method: str, path: str, body: bytes, status: int = 422) -> str:
    answer = await parley.client.request(method, path, content=body, headers=JSON)
    assert answer.status_code == status, (path, answer.text)
    return answer.text


async def test_a_query_with_a_nul_names_its_field(parley: RunningParley) -> None:
    for (method, path), whole in operations().items():
        given = [it["name"] for it in whole.get("parameters", []) if it["in"] == "query"]
        for name in given if method == "GET" else ():
            address = re.sub(r"\{\w+\}", "x", path)
            answer = await parley.client.get(f"{address}?{name}=a%00b")
            assert answer.status_code == 422, (path, answer.text)
            assert name in answer.text, (path, answer.text)


@pytest.mark.parametrize("number", [2**31, 2**63, 10**400])
async def test_a_number_beyond_every_column_names_its_field(parley: RunningParley, number: int) -> None:
    prompt = (await parley.post("/api/prompts", {"name": "Mine", **MESSAGES}))["prompt"]["id"]
    rows = {"name": "Rows", "rows": [{"fields": {"text": "y"}}]}
    dataset = (await parley.post("/api/lab/datasets", rows))["dataset"]["id"]
    plan = {"versions": [1], "models": ["ada"], "dataset": dataset}
    requests: list[tuple[str, str, dict[str, Any], str]] = [
        ("POST", f"/api/prompts/{prompt}/versions", {**MESSAGES, "parent": "HERE"}, "parent"),
        ("POST", f"/api/prompts/{prompt}/fork", {"name": "Fork", "version": "HERE"}, "version"),
        ("PUT", f"/api/prompts/{prompt}/labels/live", {"version": "HERE"}, "version"),
        ("POST", f"/api/prompts/{prompt}/quote", {**plan, "versions": ["HERE"]}, "versions.0"),
        ("POST", f"/api/prompts/{prompt}/quote", {**plan, "first_rows": "HERE"}, "first_rows"),
    ]
    for method, path, body, field in requests:
        sent = msgspec.json.encode(body).replace(b'"HERE"', str(number).encode())
        assert field in await refused(parley, method, path, sent)
    for path in (f"/api/lab/datasets/{dataset}?offset=", f"/api/prompts/{prompt}/markdown?version="):
        assert (await parley.client.get(f"{path}{number}")).status_code == 422


async def test_a_number_beyond_64_bits_is_named_wherever_it_stands(parley: RunningParley) -> None:
    schema = b'{"kind": "json_schema", "schema": {"a": [1, 1%b]}}' % (b"0" * 30)
    body = b'{"name": "Mine", "messages": [{"role": "user", "text": "x"}], "checks": [%b]}' % schema
    assert "checks.0.schema.a.1" in await refused(parley, "POST", "/api/prompts", body)


async def test_texts_of_files_of_the_lab_can_be_stored(parley: RunningParley) -> None:
    config = r'{prompts: ["hi {{a}} \0"], tests: [{vars: {a: "\0"}, assert: [{type: equals, value: "\0"}]}]}'
    await parley.post("/api/lab/promptfoo", {"text": config, "name": "Zero"})
    dataset = (await parley.post("/api/lab/datasets", {"name": "Rows"}))["dataset"]["id"]
    path = f"/api/lab/datasets/{dataset}/file"
    lines = {"format": "jsonl", "text": r'{"a\u0000": "\u0000", "expected": "\u0000"}'}
    (row,) = (await parley.post(path, lines))["rows"]
    assert (row["fields"], row["expected"]) == ({"a\ufffd": "\ufffd"}, "\ufffd")
    deep = {"format": "jsonl", "text": '{"a":' * 5_000 + "1" + "}" * 5_000}
    assert "Line 1" in (await parley.post(path, deep, status=422))["title"]


async def test_the_library_takes_times_and_tags_as_everything_else_does(parley: RunningParley) -> None:
    typed = {"Content-Type": "application/octet-stream"}
    kept = await parley.client.post("/api/library?name=a.txt", content=b"Mine.", headers=typed)
    for time in ("2026-01-01", "2026-01-01T00:00:00", "9999-12-31T23:59:59-23:59"):
        for field in ("since", "until"):
            answer = await parley.client.get("/api/library", params={field: time})
            assert (answer.status_code, answer.json()["field"]) == (422, field)
    found = await parley.get("/api/library?since=2020-01-01T00:00:00Z")
    assert [each["title"] for each in found["assets"]] == ["a.txt"]
    for odd in ("a\u202eb", "a\x07", "\u200b"):
        body = msgspec.json.encode({"tags": [odd]})
        assert "tags" in await refused(parley, "PATCH", f"/api/library/{kept.json()['id']}", body)


async def test_names_within_prompts_and_of_tools_take_no_control_characters(parley: RunningParley) -> None:
    prompt = (await parley.post("/api/prompts", {"name": "Mine", **MESSAGES}))["prompt"]["id"]
    contestant = escaped({"version": 1, "model": "aNULb"})
    assert "model" in await refused(parley, "POST", f"/api/prompts/{prompt}/contestants", contestant)
    version = msgspec.json.encode({**MESSAGES, "variables": [{"name": "a\u202eb"}]})
    named = await refused(parley, "POST", f"/api/prompts/{prompt}/versions", version)
    assert "variables.0.name" in named
    session = (await parley.chat())["session_id"]
    for name in ("unknown", "x" * 500):
        await refused(parley, "PUT", f"/api/sessions/{session}/tools/{name}", b'{"allowed": true}', 404)


@pytest.mark.parametrize("odd", ["\\ud800", "\\udc00", "\\ud800x"])
async def test_half_a_character_at_the_door_is_refused_before_anything_is_sent(
    parley: RunningParley, odd: str
) -> None:
    body = b'{"model": "ada", "messages": [{"role": "user", "content": "x%b"}]}' % odd.encode()
    assert "body" in await refused(parley, "POST", "/v1/chat/completions", body, 400)
    assert parley.upstream.chats == []


async def test_contents_of_another_shape_at_the_door_are_named(parley: RunningParley) -> None:
    messages = [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [3]}]}]
    asked: list[tuple[str, dict[str, Any], str]] = [
        ("/v1/messages", {"max_tokens": 5, "messages": messages}, "messages.0.content.0.content.0"),
        (
            "/v1/messages",
            {"max_tokens": 5, "messages": ASKED, "tool_choice": {"type": []}},
            "tool_choice.type",
        ),
        *(
            ("/v1/responses", {"input": [{"role": "user", "content": [part]}]}, "input.0.content.0")
            for part in (None, "x", [1])
        ),
    ]
    for path, body, place in asked:
        sent = msgspec.json.encode({"model": "ada", **body})
        assert place in await refused(parley, "POST", path, sent, 400)
