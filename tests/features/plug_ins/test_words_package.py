"""The package of the examples as an installed one: it is listed, and Parley has what it adds."""

import importlib.metadata
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

import parley_plugin_words
from parley.features.lab.checks import plugged
from parley.features.usage.folding import Folding
from tests.fakes.running import RunningParley, a_running_parley


class Entry:
    name = "words"
    value = "parley_plugin_words"
    dist = SimpleNamespace(name="parley-plugin-words", version="0.1.0")

    def load(self) -> object:
        return parley_plugin_words


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    every = importlib.metadata.entry_points

    def entry_points(*, group: str) -> Sequence[object]:
        return [Entry()] if group == "parley" else every(group=group)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    async with a_running_parley(tmp_path) as running:
        yield running
    plugged.install({})


async def test_it_is_listed_with_its_version_and_hooks(parley: RunningParley) -> None:
    assert (await parley.get("/api/plug-ins"))["installed"] == [
        {
            "name": "words",
            "package": "parley-plugin-words",
            "version": "0.1.0",
            "hooks": ["parley_checks", "parley_image_models", "parley_measures", "parley_tools"],
            "problem": None,
        }
    ]


async def test_its_check_decides_and_an_unknown_one_is_refused(parley: RunningParley) -> None:
    check = {"kind": "plugin", "name": "jargon", "settings": {"words": ["synergy"]}}
    body = {"name": "P", "messages": [{"role": "user", "text": "Say {{x}}."}], "checks": [check]}
    prompt = await parley.post("/api/prompts", body)
    assert prompt["prompt"]["checks"] == [check]
    refused = await parley.post("/api/prompts", {**body, "checks": [{**check, "name": "jargn"}]}, 422)
    assert "did you mean “jargon”" in refused["title"]
    parley.upstream.reply("We have synergy.", model="ada")
    tried = await parley.post(
        "/api/prompts/try",
        {"messages": body["messages"], "values": {"x": "y"}, "model": "ada", "checks": [check]},
    )
    assert "“synergy” is jargon." in str(tried)


async def test_its_tool_and_its_measure_are_there(parley: RunningParley) -> None:
    assert "words_count" in {tool["name"] for tool in (await parley.get("/api/tools"))["tools"]}
    await parley.chat()
    await parley.application[Folding].fold()
    (row,) = (await parley.get("/api/usage?measure=answer_length&by=model"))["rows"]
    assert row[1] > 0


async def test_a_check_that_fails_leaves_its_verdict_open(parley: RunningParley) -> None:
    from parley.features.lab.checks.checking import apply
    from parley.features.lab.checks.contract import CheckedAnswer, Plugged

    async def breaks(*_: object) -> None:
        raise ValueError("secret")

    async def says_nothing(*_: object) -> None:
        return None

    plugged.install({"breaks": breaks, "silent": says_nothing})  # type: ignore[dict-item]
    for name, reason in (
        ("breaks", "ValueError"),
        ("silent", "no verdict"),
        ("gone", "No installed plug-in"),
    ):
        verdict = await apply(Plugged(name=name), CheckedAnswer(text=""))
        assert verdict.passed is None
        assert reason in verdict.reason
        assert "secret" not in verdict.reason
