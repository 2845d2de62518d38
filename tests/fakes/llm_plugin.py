"""A plugin for llm with models of every form; their answers tell what they were asked."""

import asyncio
import importlib.metadata
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llm
import llm.plugins
import pytest
from llm.parts import StreamEvent
from pydantic import Field

from parley.connectors.llm_plugins import plugins


class Entry:
    """An entry point of a plugin."""

    def __init__(self, name: str, load: Callable[[], Any]) -> None:
        self.name = name
        self.load = load


gate = threading.Event()
"""What the blocking model waits for after its first word."""

closed = threading.Event()
"""Set when the asynchronous model was stopped."""


def seen(prompt: Any, conversation: Any) -> str:
    """What a plugin of either generation sees."""
    new = " | ".join(
        f"{message.role}: {''.join(getattr(part, 'text', '') or '' for part in message.parts)}"
        for message in prompt.messages
    )
    old = [f"{past.prompt.prompt} → {past.text_or_raise()}" for past in conversation.responses]
    return f"[{new}] [{'; '.join([*old, prompt.prompt])}]"


class Blocking(llm.Model):
    """Has no asynchronous form."""

    model_id = "fake-blocking"
    can_stream = True
    attachment_types = frozenset({"image/png"})

    class Options(llm.Options):  # type: ignore[reportIncompatibleVariableOverride]
        """What it takes."""

        temperature: float | None = Field(default=None)

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        yield "On "
        if prompt.prompt == "wait":
            gate.wait(30)
        if prompt.prompt == "break":
            raise RuntimeError("no more; key=sk-canary-0123456789abcdef")
        yield threading.current_thread().name
        yield f" {seen(prompt, conversation)}"
        response.set_usage(input=3, output=4)


class Asynchronous(llm.AsyncModel):
    """Has one."""

    model_id = "fake-asynchronous"
    can_stream = True
    supports_tools = True
    supports_schema = True

    async def execute(
        self, prompt: Any, stream: bool, response: Any, conversation: Any
    ) -> AsyncGenerator[Any]:
        yield StreamEvent(type="reasoning", chunk="hm ")
        try:
            yield "A"
            if prompt.prompt == "wait":
                await asyncio.Event().wait()
        finally:
            closed.set()
        yield "B\x00"
        if prompt.tools:
            call = llm.ToolCall(name=prompt.tools[0].name, arguments={"q": "é"}, tool_call_id="c1")
            response.add_tool_call(call)
        response.set_usage(input=5, output=6, details={})


class Keyed(llm.KeyModel):
    """Needs a key."""

    model_id = "fake-keyed"
    needs_key = "fake"
    key_env_var = "FAKE_LLM_KEY"

    def execute(
        self, prompt: Any, stream: bool, response: Any, conversation: Any, key: str | None = None
    ) -> Iterator[str]:
        raise llm.ModelError(f"The key {key} was refused")
        yield


class Long(llm.Model):
    """Answers in many pieces, always the same."""

    model_id = "fake-long"

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        yield from (f"wörd{number} 🜁 " for number in range(40))
        response.set_usage(input=3, output=40)


class Endless(llm.AsyncModel):
    """Says a word, then nothing more."""

    model_id = "fake-endless"

    async def execute(
        self, prompt: Any, stream: bool, response: Any, conversation: Any
    ) -> AsyncGenerator[Any]:
        yield "half"
        await asyncio.Event().wait()


class Both(llm.Model):
    """The blocking half of a model that has both forms."""

    def __init__(self, model_id: str) -> None:
        self.model_id = model_id

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        raise AssertionError("the asynchronous form must be asked")
        yield


@llm.hookimpl
def register_models(register: Any) -> None:
    """Offer the models."""
    register(Blocking(), aliases=("fb",))
    register(Both(Asynchronous.model_id), Asynchronous())
    register(Keyed())
    register(Long())
    register(Both(Endless.model_id), Endless())


@contextmanager
def alone(monkeypatch: pytest.MonkeyPatch, folder: Path, *others: Any) -> Iterator[None]:
    """Make this the only plugin of llm, besides others that are entry points; forget them all afterwards."""
    entries = [*others, Entry("fake", lambda: sys.modules[__name__])]
    found = importlib.metadata.entry_points

    def entry_points(**wanted: str) -> Any:
        return entries if wanted == {"group": plugins.GROUP} else found(**wanted)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    monkeypatch.setenv("LLM_USER_PATH", str(folder))
    plugins._load.cache_clear()
    try:
        yield
    finally:
        plugins._load.cache_clear()
        for plugin in llm.plugins.pm.get_plugins():
            llm.plugins.pm.unregister(plugin)
        llm.plugins._loaded = False
        gate.clear()
        closed.clear()
