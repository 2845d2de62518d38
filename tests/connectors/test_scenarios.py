"""What servers sent, byte for byte: played through the connector, each row gives what a person is shown.

A row of `fixtures/answers/scenarios.jsonl` has what is sent (numbers are seconds that pass, left out here), the status
and headers; then the text, the reasoning, the finish, the usage, and the error with the seconds to wait.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Delta, Finish, Rethought, Usage
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import EVENT_STREAM, Script, ScriptedUpstream

FILE = Path(__file__).parent.parent / "fixtures" / "answers" / "scenarios.jsonl"


class Scenario(msgspec.Struct):
    """A row of the file."""

    name: str
    sent: list[str | float]
    text: str
    reasoning: str
    finish: str | None
    status: int = 200
    headers: dict[str, str] = {}
    usage: dict[str, int] = {}
    error: tuple[str, float | None] | None = None


ROWS = (msgspec.json.decode(line, type=Scenario) for line in FILE.read_bytes().splitlines())
SCENARIOS = {row.name: row for row in ROWS}


async def play(row: Scenario) -> dict[str, Any]:
    """Return what the connector made of a row."""
    seen: dict[str, Any] = {"text": "", "reasoning": "", "finish": None, "usage": {}, "error": None}
    steps = tuple(part.encode() for part in row.sent if isinstance(part, str))
    async with ScriptedUpstream() as up:
        up.script(Script(steps, row.status, {**EVENT_STREAM, **row.headers}))
        connector = OpenAIConnector(
            Provider("p", "openai", up.url), HttpClient(WireOptions(allow_loopback=True))
        )
        try:
            async for chunk in connector.stream(ChatRequest(model="m", messages=(Message("user", "Hi"),))):
                match chunk:
                    case Rethought():
                        seen["text"], seen["reasoning"] = "", seen["reasoning"] + seen["text"]
                    case Delta(channel=channel, text=text):
                        seen[channel] += text
                    case Finish(reason=reason):
                        seen["finish"] = reason
                    case Usage():
                        counted = msgspec.structs.asdict(chunk)
                        seen["usage"] = {name: number for name, number in counted.items() if number}
                    case _:
                        raise AssertionError(chunk)
        except UpstreamError as error:
            seen["error"] = (error.leaf_code, error.retry_after_s)
    return seen


@pytest.mark.parametrize("name", SCENARIOS)
async def test_what_a_server_sent_is_read_for_what_it_means(name: str) -> None:
    row = SCENARIOS[name]
    seen = await play(row)
    assert seen == {field: getattr(row, field) for field in seen}
