"""A plugin of llm: every model, consortium and team of a running Parley as `parley/ID`, and `parley/auto`."""

import os
from collections.abc import Callable
from typing import Any, cast

import httpx2  # noqa: TID251 - llm brings it; the plugin has nothing of Parley's
import llm
from llm.default_plugins.openai_models import AsyncChat, Chat

DEFAULT_URL = "http://127.0.0.1:8000"
KEY = "parley"
"""The name of the key: `llm keys set parley`. On one's own computer none is needed."""

WITHIN_S = 2.0
"""Seconds that Parley has to list its models: llm lists all models at its start."""


def base_url() -> str:
    """Return the address of the door, from the variable `PARLEY_URL`."""
    url = os.environ.get("PARLEY_URL", DEFAULT_URL)  # noqa: TID251 - its own setting
    return url.rstrip("/").removesuffix("/v1") + "/v1"


def list_models(get: Callable[..., Any] = httpx2.get) -> list[str]:
    """Return the ids of Parley's models; none if it can't be reached."""
    try:
        answer = get(
            f"{base_url()}/models", headers={"Authorization": f"Bearer {_key() or 'any'}"}, timeout=WITHIN_S
        )
        answer.raise_for_status()
        return [str(model["id"]) for model in answer.json()["data"]]
    except (httpx2.HTTPError, ValueError, KeyError):
        return []


@llm.hookimpl
def register_models(register: Callable[..., None]) -> None:
    """Register every model that Parley lists."""
    key = _key()
    for name in list_models():
        models = [kind(f"parley/{name}", model_name=name, api_base=base_url()) for kind in (Chat, AsyncChat)]
        for model in models:
            model.needs_key = KEY if key else None
            model.key_env_var = "PARLEY_API_KEY"
        register(*models)


def _key() -> str | None:
    return cast("str | None", llm.get_key(None, KEY, "PARLEY_API_KEY"))
