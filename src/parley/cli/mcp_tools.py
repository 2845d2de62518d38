"""The tools that editors and agents get from `parley mcp`: they ask a running Parley by its door."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

import msgspec

from parley.cli.client import ApiClient
from parley.kernel.errors import ParleyError

if TYPE_CHECKING:
    from mcp.server import MCPServer

MOST_COMPARED = 8
INSTRUCTIONS = (
    "Parley asks language models. Use `models` for the ids, `ask` for one answer, `compare` for several side by side, "
    "`consortium` for one answer that several models agree on, and `leaderboard` for people's ratings."
)


class ComparedAnswer(msgspec.Struct, frozen=True):
    """The answer of one model, or why there is none."""

    model: str
    answer: str | None = None
    error: str | None = None


class ModelTools:
    """Do the work of the tools, apart from their protocol."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client

    async def models(self) -> list[dict[str, str]]:
        """List the models that can be asked, consortia and teams among them: id and name."""
        listed = await self._client.get("/v1/models")
        return [{"id": model["id"], "name": model["name"]} for model in listed["data"]]

    async def ask(
        self, model: str, prompt: str, system: str | None = None, max_tokens: int | None = None
    ) -> str:
        """Ask one model and return its answer. `model` is an id from `models`."""
        messages = [{"role": "system", "content": system}] if system else []
        body: dict[str, Any] = {"model": model, "messages": [*messages, {"role": "user", "content": prompt}]}
        if max_tokens is not None:
            body["max_tokens"] = max_tokens
        answer = await self._client.send("POST", "/v1/chat/completions", body)
        return str(answer["choices"][0]["message"]["content"] or "")

    async def compare(self, models: list[str], prompt: str) -> list[dict[str, str | None]]:
        """Ask up to eight models the same at once; return each one's answer, or why it has none."""
        answers = await asyncio.gather(
            *(self._compared(model, prompt) for model in dict.fromkeys(models[:MOST_COMPARED]))
        )
        return [msgspec.to_builtins(answer) for answer in answers]

    async def consortium(self, name: str, prompt: str) -> str:
        """Let a saved consortium or team answer: its models answer, and an arbiter settles it. Takes minutes."""
        return await self.ask(name, prompt)

    async def leaderboard(self, top: int = 10) -> list[dict[str, Any]]:
        """Return the models that people rate highest, with ratings and their 95% intervals."""
        board = await self._client.get("/api/leaderboard")
        lines = cast("list[dict[str, Any]]", board["lines"])
        shown = ("rank", "rating", "ci_lower", "ci_upper", "votes", "win_rate")
        return [
            {"model": line["model"]["id"], **{name: line[name] for name in shown}} for line in lines[:top]
        ]

    async def _compared(self, model: str, prompt: str) -> ComparedAnswer:
        try:
            return ComparedAnswer(model, answer=await self.ask(model, prompt))
        except ParleyError as error:
            return ComparedAnswer(model, error=f"{error.title} {error.detail or ''}".rstrip())


def make_server(client: ApiClient) -> "MCPServer[Any]":
    """Return the server of the Model Context Protocol; its library is loaded here."""
    from mcp.server import MCPServer

    server: MCPServer[Any] = MCPServer("parley", instructions=INSTRUCTIONS)
    tools = ModelTools(client)
    for tool in (tools.models, tools.ask, tools.compare, tools.consortium, tools.leaderboard):
        server.add_tool(tool)
    return server
