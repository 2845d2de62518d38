"""Tests of the plugin against a running Parley."""

import asyncio
from pathlib import Path
from typing import Any

import llm_parley
import pytest

from tests.fakes.running import a_running_parley


async def test_every_model_answers_by_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with a_running_parley(tmp_path) as parley:
        parley.upstream.reply("Ada ", "here", times=9)
        monkeypatch.setenv("PARLEY_URL", parley.base_url)
        monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
        models: dict[str, Any] = {}

        def ask() -> str:
            llm_parley.register_models(lambda model, _: models.update({model.model_id: model}))
            return str(models["parley/ada"].prompt("Hello", stream=True).text())

        assert await asyncio.to_thread(ask) == "Ada here"
        assert list(models) == [f"parley/{name}" for name in ("ada", "bob", "cleo", "auto")]


def test_without_a_parley_there_are_no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PARLEY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    assert llm_parley.list_models() == []
