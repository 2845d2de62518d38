"""Python as a tool: code that a model writes runs over the tables of a session, without files or network."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.engine import foreign_python
from parley.engine.foreign_python import Limits
from parley.features.tables.messages import Cell
from parley.features.tables.service import TablesService
from parley.features.tools.sources import SourceTool
from parley.kernel.errors import Invalid
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult

LIMITS = Limits(seconds=5.0, memory_mb=128, output_chars=20_000)
MOST_CELLS = 200_000

RUN = Tool(
    name="run_python",
    description="Run Python for what SQL can't do. Define `run(tables)`: `tables` maps the name of each table of this "
    "session to its rows, which are dicts. Return something that JSON knows. There are no files, network or packages.",
    parameters={
        "type": "object",
        "properties": {"code": {"type": "string", "description": "Python that defines run(tables)."}},
        "required": ["code"],
    },
)


class PythonTool:
    """Implements `ToolSource` for sessions that have tables."""

    name = "python"
    title = "Python"

    def __init__(self, service: TablesService) -> None:
        self._service = service

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Return the tool if the session has tables. Raises NotFound."""
        del person_id
        if scene is not None and not await self._service.files(scene.owner_id, scene.session_id):
            return ()
        return (SourceTool(tool=RUN, reads_only=True),)

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """Return nothing: the tables describe themselves."""
        del scene
        return {}

    async def close(self) -> None:
        """Do nothing: the interpreters are the engine's."""

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Run the code. Raises Invalid, Unavailable, NotFound."""
        del name
        code = arguments.get("code")
        if not isinstance(code, str):
            raise Invalid("code", "There is no “code”.", "Give Python as text.", code="tool_arguments")
        result = await foreign_python.run(code, {"tables": await self._rows(scene)}, LIMITS)
        shown = msgspec.json.encode(result.value).decode()
        return ToolResult(text="\n".join(filter(None, (result.printed.rstrip(), shown))))

    async def _rows(self, scene: ToolScene) -> dict[str, list[dict[str, Cell]]]:
        """Return the rows of each table. Raises Invalid if there are too many."""
        described = await self._service.describe(scene.owner_id, scene.session_id)
        if sum(card.rows * len(card.columns) for card in described.tables) > MOST_CELLS:
            raise Invalid(
                "code",
                f"These tables have more than {MOST_CELLS:,} cells, which is the limit for Python.",
                "Ask them with `query` instead.",
                code="query_too_large",
            )
        tables: dict[str, list[dict[str, Cell]]] = {}
        for card in described.tables:
            sql = f'SELECT * FROM "{card.table}"'  # noqa: S608 - a name of word characters
            result = await self._service.query(scene.owner_id, scene.session_id, sql)
            names = [column.name for column in result.columns]
            tables[card.table] = [dict(zip(names, row, strict=True)) for row in result.rows]
        return tables
