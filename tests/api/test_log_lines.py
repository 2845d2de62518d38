"""Logs as JSON: one object per line, with the id that the answer has."""

import logging
import sys
from pathlib import Path

import msgspec
import pytest

from parley.api.logs import REQUEST_ID, JsonFormatter, log_config
from tests.fakes.running import RunningParley, a_running_parley


def test_a_record_is_one_line_with_its_request() -> None:
    token = REQUEST_ID.set("abc")
    try:
        raise ValueError("no\nway\x1b[31m")
    except ValueError:
        record = logging.LogRecord("parley", 30, "", 1, "Line\n%s", ("two",), sys.exc_info())
    text = JsonFormatter().format(record)
    REQUEST_ID.reset(token)
    line = msgspec.json.decode(text)
    assert "\n" not in text
    assert "\x1b" not in text
    assert (line["level"], line["message"], line["request_id"]) == ("warning", "Line\ntwo", "abc")
    assert "ValueError" in line["traceback"]


def test_the_setting_chooses_the_formatter() -> None:
    formatters = log_config(kind="json")["formatters"]
    assert {each["()"] for each in formatters.values()} == {JsonFormatter}
    assert JsonFormatter not in {each["()"] for each in log_config()["formatters"].values()}


async def test_answers_have_ids_and_a_proxys_id_stays(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, log_format="json") as parley:
        first, second = [(await parley.client.get("/healthz")).headers["x-request-id"] for _ in range(2)]
        assert first != second
        assert len(first) == 32
        for sent, stays in (("proxy-id-1234", True), ("bad id", False), ("x" * 300, False)):
            answer = await parley.client.get("/healthz", headers={"x-request-id": sent})
            assert (answer.headers["x-request-id"] == sent) is stays


async def test_a_requests_id_reaches_its_turns_log_and_the_models_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(JsonFormatter())
    async with a_running_parley(tmp_path, log_format="json") as parley:
        parley.upstream.fail(500, model="ada")
        parley.upstream.reply("Hello", model="ada")
        with caplog.at_level(logging.INFO, logger="parley"):
            body = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}
            answer = await parley.client.post("/api/sessions", json=body)
        sent = {request.headers.get("x-request-id") for request in parley.upstream.chats}
    lines = [msgspec.json.decode(line) for line in caplog.text.splitlines()]
    retries = [line for line in lines if "Retrying" in line["message"]]
    assert retries
    assert {line["request_id"] for line in retries} == sent == {answer.headers["x-request-id"]}
    assert "s3cret-key-of-the-provider" not in caplog.text


async def test_a_models_server_gets_no_id_without_such_logs(parley: RunningParley) -> None:
    await parley.chat(model="ada")
    assert "x-request-id" not in parley.upstream.chats[0].headers
