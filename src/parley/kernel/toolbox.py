"""The toolbox: the tools that a person's session offers to the models that answer in it."""

from typing import Protocol

import msgspec

from parley.kernel.options import Tool
from parley.kernel.tools import ToolCallView, ToolResult


class ToolScene(msgspec.Struct, frozen=True, kw_only=True):
    """The place where tools are called: a turn of a person's session, and its question.

    `asker_id`: who wrote the question, in a workspace one of its people. `quiet`: nobody may be asked, so only tools
    that don't ask first are there.
    """

    owner_id: str
    asker_id: str
    session_id: str
    turn_id: str
    question: str
    quiet: bool = False


class ToolOffer(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of a session. `briefs` replace files that tools read better, by the SHA-256 of the file's text."""

    tools: tuple[Tool, ...] = ()
    briefs: dict[str, str] = msgspec.field(default_factory=dict[str, str])


class Toolbox(Protocol):
    """The tools of sessions. It asks the person before it runs one that does more than read."""

    @property
    def limit_s(self) -> float:
        """The seconds that one call may take, with the wait for the person."""
        ...

    async def offer(self, scene: ToolScene) -> ToolOffer:
        """Return the tools that are on in a session. Raises ParleyError."""
        ...

    async def run(self, scene: ToolScene, call: ToolCallView, arguments: dict[str, object]) -> ToolResult:
        """Run one of these tools. Raises ParleyError; cancelling stops it.

        A call that does more than read is begun once at most, even when its turn is played again.
        """
        ...


class EmptyToolbox:
    """Implements `Toolbox` where there are no tools."""

    limit_s = 1.0

    async def offer(self, scene: ToolScene) -> ToolOffer:  # noqa: ARG002 - as the port has it
        """Return nothing."""
        return ToolOffer()

    async def run(
        self,
        scene: ToolScene,  # noqa: ARG002 - as the port has it
        call: ToolCallView,  # noqa: ARG002 - as the port has it
        arguments: dict[str, object],  # noqa: ARG002 - as the port has it
    ) -> ToolResult:
        """Return nothing: no tool was offered."""
        return ToolResult()
