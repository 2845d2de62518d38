"""Calling tools: each call of a stage is made once, and answered from the record after that."""

import asyncio
import logging

import msgspec

from parley.engine.frame import Frame
from parley.kernel.errors import NotFound, ParleyError, Problem
from parley.kernel.events import ToolCalled, ToolReturned
from parley.kernel.messages import mend_surrogates
from parley.kernel.mode import RepeatedStep, ReplayMismatch
from parley.kernel.options import Tool
from parley.kernel.ports import Tools
from parley.kernel.tools import ToolCallView, ToolRecord, ToolResult

log = logging.getLogger(__name__)

LIMIT_S = 60.0
"""Seconds that one call of a tool may take, unless its port says otherwise."""

BROKEN = Problem(
    code="tool_broken",
    title="Parley ran into an internal error in this tool.",
    detail="See the server's log for the cause.",
)


class NoTools:
    """Implements the kernel's port `Tools` where there are none."""

    limit_s = LIMIT_S

    def descriptions(self) -> tuple[Tool, ...]:
        """Return nothing."""
        return ()

    async def call(
        self,
        name: str,
        arguments: dict[str, object],  # noqa: ARG002 - as the port has it
        *,
        owner_id: str,  # noqa: ARG002 - as the port has it
    ) -> ToolResult:
        """Raise NotFound."""
        raise NotFound(f"There is no tool “{name}”.")


class ToolCaller:
    """Calls the tools of one stage."""

    def __init__(self, frame: Frame, tools: Tools) -> None:
        self.tools = tools
        self._frame = frame
        self._called: set[tuple[str | None, str]] = set()
        self._records = {each.call.key: each for each in frame.script.tools if each.path == frame.path}

    async def call(self, call: ToolCallView) -> ToolResult:
        """Make a call, or recall its result. Raises RepeatedStep, ReplayMismatch."""
        if call.key in self._called:
            raise RepeatedStep(f"{self._frame.script.mode} called {call.name} twice for {call.id}")
        self._called.add(call.key)
        record = self._records.get(call.key)
        if record is not None:
            result = self._recall(record, call)
            if result is not None:
                return result
            self._frame.renewed = True
        if call.reply_id is None:  # else it was published with its reply
            call = msgspec.structs.replace(call, attempt=record.call.attempt + 1 if record else 1)
            called = tool_called(self._frame, call)
            self._frame.show_tool(call, called, self._frame.store(called))
        result = _storable(await self._run(call))
        returned = ToolReturned(
            turn_id=self._frame.turn_id, reply_id=call.reply_id, call_id=call.id, result=result
        )
        logged = self._frame.log(returned)
        await self._frame.send(logged)
        self._frame.show_tool(msgspec.structs.replace(call, result=result), returned, logged.data)
        return result

    def _recall(self, record: ToolRecord, call: ToolCallView) -> ToolResult | None:
        """Return a stored result that is still valid. Raises ReplayMismatch if another call was stored.

        What completed is never made again; a failure is, after a retry.
        """
        if call.reply_id and record.call.attempt != call.attempt:
            return None
        same = (record.call.name, record.call.arguments) == (call.name, call.arguments)
        if not same and not (self._frame.renewed or record.stale or self._frame.starts_over):
            raise ReplayMismatch(f"{self._frame.script.mode} called {call.name} with something else")
        result = record.call.result
        return result if same and result and not (result.error and record.stale) else None

    async def _run(self, call: ToolCallView) -> ToolResult:
        """Run a tool within its time limit; every failure is a value."""
        names = [tool.name for tool in self.tools.descriptions()]
        if call.name not in names:
            known = f"Use one of these: {', '.join(names)}." if names else "There are no tools here."
            return _failed("tool_unknown", f"There is no tool “{call.name}”.", known)
        try:
            arguments = msgspec.json.decode(call.arguments or "{}", type=dict[str, object])
        except (msgspec.MsgspecError, UnicodeEncodeError) as error:
            return _failed("tool_arguments", "The arguments are not a JSON object.", str(error))
        try:
            async with asyncio.timeout(self.tools.limit_s):
                return await self.tools.call(call.name, arguments, owner_id=self._frame.owner_id)
        except TimeoutError:
            title = f"The tool “{call.name}” did not return within {self.tools.limit_s:g} s."
            return _failed("tool_timeout", title)
        except ParleyError as error:
            return ToolResult(error=error.problem)
        except Exception:
            log.exception("the tool %s failed", call.name)
            return ToolResult(error=BROKEN)


def tool_called(frame: Frame, call: ToolCallView) -> ToolCalled:
    """Return the event of a call that begins."""
    return ToolCalled(
        turn_id=frame.turn_id,
        reply_id=call.reply_id,
        call_id=call.id,
        name=call.name,
        arguments=call.arguments,
        path=frame.path,
        round=call.round,
        attempt=call.attempt,
    )


def _failed(code: str, title: str, detail: str | None = None) -> ToolResult:
    return ToolResult(error=Problem(code=code, title=title, detail=detail))


def _storable(result: ToolResult) -> ToolResult:
    """Return the result exactly as a replay reads it from the record."""
    text = mend_surrogates(result.text).replace("\x00", "\ufffd")
    return msgspec.structs.replace(result, text="" if result.error else text)
