"""Preferences as requests and responses."""

from typing import Annotated

import msgspec
from pydantic import Field

from parley.kernel.request import MAX_PROMPT_CHARS, Request


class SavePreferences(Request):
    """Settings of new chats. What is left out or empty is removed."""

    instructions: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] | None = None
    model: Annotated[str, Field(max_length=64)] | None = None


class PreferencesView(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the caller's new chats on the page: their system prompt and their model; null without."""

    instructions: str | None = None
    model: str | None = None
