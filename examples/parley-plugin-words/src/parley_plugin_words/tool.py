"""A tool: it counts words."""

from collections.abc import Mapping, Sequence

from parley.features.tools.sources import SourceTool
from parley.kernel.errors import NotFound
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult

COUNT = Tool(
    name="words_count",
    description="Counts the words of a text.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)


class WordTools:
    """The tools of this plug-in."""

    name = "words"
    title = "Words"

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:  # noqa: ARG002
        """Return the tool; it reads only, so it never asks first."""
        return [SourceTool(tool=COUNT, reads_only=True)]

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:  # noqa: ARG002
        """Return nothing: it replaces no files."""
        return {}

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:  # noqa: ARG002
        """Count the words. Raises NotFound for another tool."""
        if name != COUNT.name:
            raise NotFound(f"There is no tool “{name}” here.")
        return ToolResult(text=str(len(str(arguments.get("text", "")).split())))

    async def close(self) -> None:
        """Hold nothing, so release nothing."""
