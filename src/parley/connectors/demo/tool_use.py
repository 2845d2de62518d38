"""Tools of the demo: a few rules stand in for a model, so that tables and tools can be tried without a key."""

import re
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from parley.kernel.connector import ChatRequest
from parley.kernel.messages import Message, TextPart, ToolCall, text_of

Cell: TypeAlias = str | int | float | bool | None

QUERY = "query"
SHOWN = 20

_TABLE = re.compile(r"^Table (\w+) \(from .*\), [\d,]+ rows:$", re.MULTILINE)
_COLUMN = re.compile(r'^- "(.+?)" ([A-Z]\w*)[^:]*: (one of )?', re.MULTILINE)
_NUMBERS = ("BIGINT", "INTEGER", "DOUBLE", "DECIMAL", "HUGEINT", "SMALLINT", "TINYINT", "FLOAT")
_AVERAGE = re.compile(r"\b(average|mean)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(least|lowest|smallest|fewest|worst|lost)\b", re.IGNORECASE)
_COUNT = re.compile(r"\bhow many (rows|lines|records|entries)\b", re.IGNORECASE)
_ABOUT_DATA = re.compile(
    r"\b(how many|how much|which|sum|total|average|mean|most|least|highest|lowest|top|table|data|per|by)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class _Result(msgspec.Struct):
    """The rows of a query as the tool returns them."""

    columns: list[str]
    rows: list[list[Cell]]
    row_count: int


@dataclass(frozen=True)
class _Table:
    """A table of the conversation: names of its columns with numbers, and of those with few values first."""

    name: str
    numbers: tuple[str, ...]
    groups: tuple[str, ...]


def tool_use(request: ChatRequest) -> ToolCall | str | None:
    """Return the call that answers a question, or the answer once it has returned; None if it needs no tool."""
    names = {tool.name for tool in request.tools or ()}
    at = max((n for n, message in enumerate(request.messages) if message.role == "user"), default=-1)
    question = _question(request.messages[at])
    results = [message for message in request.messages[at + 1 :] if message.role == "tool"]
    if results:
        return _answer(results[-1], asks_least=bool(_LEAST.search(question)))
    tables = [table for message in request.messages for table in _tables(text_of(message))]
    if QUERY in names and tables and (sql := _sql(question, tables[-1])):
        arguments = msgspec.json.encode({"sql": sql, "title": question[:80]}).decode()
        return ToolCall(0, f"demo-{at}", QUERY, arguments)
    named = next((name for name in sorted(names) if re.search(rf"\b{re.escape(name)}\b", question)), None)
    return ToolCall(0, f"demo-{at}", named, _arguments(question)) if named else None


def _question(message: Message) -> str:
    """Return the person's own words."""
    if isinstance(message.content, str):
        return message.content
    texts = [part.text for part in message.content if isinstance(part, TextPart)]
    return texts[-1] if texts else ""


def _arguments(question: str) -> str:
    """Return the JSON object in a question; an empty one without it."""
    match = _OBJECT.search(question)
    return match[0] if match else "{}"


def _tables(text: str) -> list[_Table]:
    """Return the tables that a text describes."""
    heads = list(_TABLE.finditer(text))
    ends = [head.start() for head in heads][1:] + [len(text)] * bool(heads)
    tables: list[_Table] = []
    for head, end in zip(heads, ends, strict=True):
        columns = [match.groups() for match in _COLUMN.finditer(text, head.end(), end)]
        numbers = tuple(name for name, kind, _ in columns if kind.startswith(_NUMBERS))
        words = sorted(
            (few is None, at, name) for at, (name, _, few) in enumerate(columns) if name not in numbers
        )
        tables.append(_Table(head[1], numbers, tuple(name for *_, name in words)))
    return tables


def _sql(question: str, table: _Table) -> str | None:
    """Return a query for a question about a table; None if it is about something else."""
    if _COUNT.search(question):
        return f'SELECT count(*) AS "rows" FROM {table.name}'  # noqa: S608 - the tool checks what it runs
    named = [name for name in (*table.numbers, *table.groups) if _mentions(question, name)]
    if not named and not _ABOUT_DATA.search(question):
        return None
    group = next((name for name in named if name in table.groups), table.groups[0] if table.groups else None)
    last = table.numbers[-1] if table.numbers else None
    number = next((name for name in named if name in table.numbers), last)
    if group is None:
        return f"SELECT * FROM {table.name} LIMIT {SHOWN}"  # noqa: S608
    order = "ASC" if _LEAST.search(question) else "DESC"
    if number is None or (re.search(r"\bhow many\b", question, re.IGNORECASE) and number not in named):
        value = 'count(*) AS "rows"'
    else:
        how = "avg" if _AVERAGE.search(question) else "sum"
        value = f'round({how}("{number}"), 2) AS "{"average " if how == "avg" else ""}{number}"'
    return (
        f'SELECT "{group}", {value}\nFROM {table.name}\nGROUP BY "{group}"\nORDER BY 2 {order}\nLIMIT {SHOWN}'
    )


def _mentions(question: str, name: str) -> bool:
    words = name.replace("_", " ").lower().rstrip("s")
    return bool(re.search(rf"\b{re.escape(words)}", question.replace("_", " ").lower()))


def _answer(result: Message, *, asks_least: bool) -> str:
    """Return what a tool's result says, in a sentence."""
    text = text_of(result)
    if result.failed:
        return f"The tool did not give a result: {text}"
    try:
        table = msgspec.json.decode(text, type=_Result)
    except msgspec.MsgspecError:
        return f"The tool says:\n\n{_quoted(text)}"
    if not table.rows:
        return "No rows match this question."
    first = table.rows[0]
    if len(first) == 1:
        return f"**{_number(first[0])}** {table.columns[0]}."
    rank = "lowest" if asks_least else "highest"
    others = [f"{row[0]} ({_number(row[1])})" for row in table.rows[1:4]]
    rest = f" Then follow {', '.join(others)}." if others else ""
    return f"**{first[0]}** has the {rank} {table.columns[1]}: **{_number(first[1])}**.{rest}"


def _number(value: Cell) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text[:2_000].splitlines())
