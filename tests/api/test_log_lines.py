"""Logs as JSON: one object per line, with the id that the answer has."""

import logging
import sys
from pathlib import Path

import msgspec

from parley.api.logs import REQUEST_ID, JsonFormatter, log_config
from tests.fakes.running import a_running_parley


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
