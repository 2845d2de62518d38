"""Tests of the model that answers `parley ask` when none is named."""

from pathlib import Path
from typing import Any, cast

from parley.cli.client import ApiClient
from parley.cli.default_model import default_model, keep_default
from parley.settings import Settings

MODELS = [{"id": name, "name": name, "enabled": True, "capabilities": ["text"]} for name in ("ada", "bob")]


class FakeClient:
    """Answers what the command reads."""

    async def get(self, path: str) -> Any:
        return {"/api/models": {"models": MODELS}, "/api/preferences": {"model": "bob"}}[path]


async def test_the_pages_default_model_answers_until_the_terminal_has_its_own(tmp_path: Path) -> None:
    settings, client = Settings(data_dir=tmp_path), cast("ApiClient", FakeClient())
    assert await default_model(client, settings) == "bob"
    keep_default(settings, "ada")
    assert await default_model(client, settings) == "ada"
