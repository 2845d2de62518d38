"""Tools that do as a test prescribes."""

import asyncio
from collections import defaultdict, deque

from parley.kernel.options import Tool
from parley.kernel.tools import ToolResult
from parley.testing import Forever, Wait

Done = ToolResult | Wait | Forever | Exception


class FakeTools:
    """Implements the port `Tools`: each named tool does what was prescribed, the last of it repeatedly.

    `calls` are all calls so far, each with its arguments and owner.
    """

    limit_s = 5.0

    def __init__(self, *names: str) -> None:
        self._names = names
        self._done: dict[str, deque[tuple[Done, ...]]] = defaultdict(deque)
        self.calls: list[tuple[str, dict[str, object], str]] = []

    def does(self, name: str, *done: Done) -> None:
        """Add what the next call of a tool does."""
        self._done[name].append(done)

    def descriptions(self) -> tuple[Tool, ...]:
        """Return every tool, without parameters."""
        parameters: dict[str, object] = {"type": "object", "properties": {}}
        return tuple(
            Tool(name=name, description=f"For tests: {name}.", parameters=parameters) for name in self._names
        )

    async def call(self, name: str, arguments: dict[str, object], *, owner_id: str) -> ToolResult:
        """Do what was prescribed. Raises it, if it is an exception."""
        self.calls.append((name, arguments, owner_id))
        prescribed = self._done[name]
        for step in prescribed.popleft() if len(prescribed) > 1 else prescribed[0]:
            match step:
                case Wait():
                    await asyncio.sleep(step.seconds)
                case Forever():
                    await asyncio.Event().wait()
                case ToolResult():
                    return step
                case _:
                    raise step
        raise AssertionError(f"{name} must end with a result")
