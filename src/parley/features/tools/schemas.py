"""Requests and responses about tools."""

from typing import Annotated

import msgspec
from pydantic import Field

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


class ToolServerView(msgspec.Struct, frozen=True, kw_only=True):
    """A server that its people sign in at.

    `wants_sign_in`: it has no tools for who asks until they sign in, or again. `issuer`: where they have signed in;
    null, like `signed_in_at`, if they have not.
    """

    name: str
    title: str
    wants_sign_in: bool
    issuer: str | None = None
    signed_in_at: str | None = None


class ToolList(msgspec.Struct, frozen=True, kw_only=True):
    """Tools, the servers that one signs in at, and the sources that can't be reached now: why, by their title."""

    tools: list[ToolView]
    servers: list[ToolServerView]
    failures: dict[str, str]


class SignInAtServer(Request):
    """Begin to sign in at a server. `back`: the path of the page to come back to, and the place on it."""

    back: Annotated[
        str, Field(pattern=r"^/([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]*(#[A-Za-z0-9_-]*)?$", max_length=200)
    ] = "/settings#tools"


class SignInAddress(msgspec.Struct, frozen=True):
    """The address where a browser goes to sign in; the answer's cookie belongs to the journey."""

    address: str


class ExportedSignIn(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in at a server of tools as an export has it: that it was there, and never its tokens."""

    server: str
    issuer: str
    created_at: str
