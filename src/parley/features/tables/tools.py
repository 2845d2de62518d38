"""The tools of tables: models describe a session's tables and ask them with SQL."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.features.tables.messages import ColumnCard, QueryResult, TableCard
from parley.features.tables.service import TablesService
from parley.features.tools.sources import SourceTool
from parley.kernel.errors import Invalid
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult

ROWS_FOR_MODELS = 200
CHARS_FOR_MODELS = 20_000

DESCRIBE = Tool(
    name="describe_tables",
    description="Describe the tables of this session: columns, types, ranges and the first rows.",
    parameters={"type": "object", "properties": {}},
)
QUERY = Tool(
    name="query",
    description="Run one SELECT (DuckDB SQL) over the tables of this session. Use it for every number that you "
    "state about them. The person sees the SQL and its rows.",
    parameters={
        "type": "object",
        "properties": {
            "sql": {"type": "string", "description": "One SELECT statement."},
            "title": {"type": "string", "description": "What it answers, in a few words."},
        },
        "required": ["sql"],
    },
)


class QueryForModels(msgspec.Struct, frozen=True, kw_only=True):
    """A result as a model and the page read it: JSON. `row_count` counts those that were left out too."""

    columns: list[str]
    numeric: list[bool]
    rows: list[tuple[str | int | float | bool | None, ...]]
    row_count: int
    left_out: str = ""


class TableTools:
    """Implements `ToolSource` for sessions that have tables."""

    name = "tables"
    title = "Tables"

    def __init__(self, service: TablesService) -> None:
        self._service = service

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Return both tools if the session has tables. Raises NotFound."""
        del person_id
        if scene is not None and not await self._service.files(scene.owner_id, scene.session_id):
            return ()
        return tuple(SourceTool(tool=tool, reads_only=True) for tool in (DESCRIBE, QUERY))

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """Return for each file with tables what a model needs to know of it. Raises NotFound."""
        files = await self._service.files(scene.owner_id, scene.session_id)
        if not files:
            return {}
        described = await self._service.describe(scene.owner_id, scene.session_id)
        briefs: dict[str, str] = {}
        for file in files:
            cards = [card for card in described.tables if card.file == file.name]
            if cards and file.text_sha256:
                briefs[file.text_sha256] = "\n\n".join(map(written, cards))
        return briefs

    async def close(self) -> None:
        """Do nothing: each query has its own process."""

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Run one of the tools. Raises Invalid, NotFound."""
        if name == DESCRIBE.name:
            described = await self._service.describe(scene.owner_id, scene.session_id)
            failures = [f"{file}: {why}" for file, why in described.failures.items()]
            return ToolResult(text="\n\n".join([*map(written, described.tables), *failures]))
        sql = arguments.get("sql")
        if not isinstance(sql, str):
            raise Invalid("sql", "The query has no “sql”.", "Give one SELECT as text.", code="tool_arguments")
        result = await self._service.query(scene.owner_id, scene.session_id, sql)
        return ToolResult(text=msgspec.json.encode(for_models(result)).decode())


def for_models(result: QueryResult) -> QueryForModels:
    """Return as many rows as a model can use."""
    rows = list(result.rows[:ROWS_FOR_MODELS])
    while len(rows) > 1 and len(msgspec.json.encode(rows)) > CHARS_FOR_MODELS:
        rows = rows[: len(rows) // 2]
    more = "more than " if result.cut else ""
    left_out = f"{more}{len(result.rows) - len(rows):,} more rows" if len(result.rows) > len(rows) else ""
    return QueryForModels(
        columns=[column.name for column in result.columns],
        numeric=[column.numeric for column in result.columns],
        rows=rows,
        row_count=len(result.rows),
        left_out=left_out,
    )


def written(card: TableCard) -> str:
    """Return a table's card as text for a model."""
    lines = [f"Table {card.table} (from {card.file}), {card.rows:,} rows:"]
    lines += [f"- {_column(column)}" for column in card.columns]
    lines.append("First rows:")
    lines += [msgspec.json.encode(row).decode()[:500] for row in card.sample]
    return "\n".join(lines)


def _column(column: ColumnCard) -> str:
    if column.values and column.distinct <= len(column.values):
        about = f"one of {', '.join(column.values)}"
    elif column.least is not None:
        about = f"{column.least} to {column.most}, {column.distinct:,} values"
    else:
        about = "empty"
    missing = f", {column.missing:,} missing" if column.missing else ""
    return f'"{column.name}" {column.sql_type}: {about}{missing}'
