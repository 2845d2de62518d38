"""Requests and responses about tools."""

import msgspec

from parley.kernel.request import Request


class ChooseTool(Request):
    """Switch a tool on or off. `asks`: it asks first in each session; null leaves that to the tool."""

    enabled: bool
    asks: bool | None = None


class PermitTool(Request):
    """The answer to a tool that asks first, for one session."""

    allowed: bool


class ToolView(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that models may call.

    `reads_only`: it says of itself that it changes nothing. `asks`: the person is asked once in each session before it
    runs. `allowed` is that answer, null without one.
    """

    name: str
    description: str
    source: str
    source_title: str
    reads_only: bool
    enabled: bool
    asks: bool
    allowed: bool | None = None


class ToolList(msgspec.Struct, frozen=True, kw_only=True):
    """Tools, and the sources that can't be reached now: why, by the source's title."""

    tools: list[ToolView]
    failures: dict[str, str]
