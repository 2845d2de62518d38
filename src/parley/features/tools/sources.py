"""Sources of tools: each brings its own, and runs them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from parley.kernel.errors import Unavailable
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult


class SourceTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a source. `reads_only`: it changes nothing, so it runs without a question to the person."""

    tool: Tool
    reads_only: bool = False


class SignInNeeded(Unavailable):
    """A server wants to know who asks: the person must sign in there, or again."""

    def __init__(self, server: str) -> None:
        super().__init__(
            f"Sign in at “{server}” first: it wants to know who asks.",
            "Under Settings, Tools. Then ask again.",
            code="tool_sign_in_needed",
        )


class ToolSource(Protocol):
    """Brings tools, such as those of one server. `name` is unique, `title` is for people."""

    @property
    def name(self) -> str:
        """Its name: lower case, no spaces."""
        ...

    @property
    def title(self) -> str:
        """Its name for people."""
        ...

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Return a person's tools in a session, or all for the list of tools. Raises ParleyError."""
        ...

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """Return texts that replace files of the conversation, by the SHA-256 of the file's text."""
        ...

    async def close(self) -> None:
        """Release what it holds."""
        ...

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Run one of its tools. Raises ParleyError."""
        ...
