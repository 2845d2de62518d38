"""Runs Python that people wrote: in Monty, an interpreter of its own in a process of its own, with limits.

The only file that knows pydantic-monty. There are no files, sockets, variables of the environment or installed
packages. Values cross as JSON text that the interpreter itself makes, within its limits: a value that doubles
forty times never reaches this process.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from parley.kernel.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyError, MontySession

MAX_CODE_CHARS = 50_000
MAX_RECURSION = 200
QUEUE_SECONDS = 60
PROCESSES = 2
RUNS_PER_PROCESS = 100
SHOWN_CHARS = 500
PRINT_FLUSH_BYTES = 32_768
"""The interpreter sends what is printed in pieces, which count more than their characters."""

_PROBE = """
def __parley_probe():
    try:
        return type({name}).__name__ == "function"
    except NameError:
        return False"""
_TOO_LONG = "__parley_too_long__"
_CALL = """import json as __parley_json
__parley_text = __parley_json.dumps({name}(**__parley_json.loads(__parley_inputs)))
__parley_text if len(__parley_text) <= {most} else {too_long!r}"""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds to load and then to run, MB of memory, and characters of JSON and of print that may come out."""

    seconds: float = 2.0
    memory_mb: int = 64
    output_chars: int = 100_000


class Result(msgspec.Struct, frozen=True):
    """The value that the function returned, as JSON knows it, and what was printed."""

    value: object
    printed: str


class CodeFailed(Invalid):
    """Code of a person's own failed; `line` is the line of it, counted from 1, if it is known."""

    code = "code_failed"

    def __init__(self, title: str, detail: str | None = None, *, line: int | None = None) -> None:
        super().__init__("code", f"Line {line}: {title}" if line else title, detail)
        self.line = line


STANDARD = Limits()


async def run(
    code: str, inputs: Mapping[str, object], limits: Limits = STANDARD, *, function: str = "run"
) -> Result:
    """Return what `function` of the code returns for the inputs, which are its arguments by name.

    Raises CodeFailed, which names the line, if the code is wrong or breaks a limit; Unavailable if others' code
    keeps all interpreters busy. A run that is cancelled while it waits never starts.
    """
    if len(code) > MAX_CODE_CHARS:
        raise CodeFailed(f"The code has {len(code):,} characters.", f"The limit is {MAX_CODE_CHARS:,}.")
    if not function.isidentifier():
        raise CodeFailed(f"“{function}” can't be the name of a function.")
    work = _threads().submit(_run, code, _encoded(inputs), limits, function)
    try:
        async with asyncio.timeout(QUEUE_SECONDS):
            return await asyncio.wrap_future(work)
    except TimeoutError:
        raise Unavailable(
            "All interpreters are busy.", "Try again in a minute.", code="code_queue_full", retry_after_s=60
        ) from None


async def check_syntax(code: str, function: str = "run") -> None:
    """Load the code without calling anything. Raises CodeFailed if that fails, or `function` is missing."""
    probe = f"{code}{_PROBE.format(name=function)}"
    try:
        result = await run(probe, {}, function="__parley_probe")
    except CodeFailed as failure:
        lines = code.count("\n") + 1
        if failure.line is None or failure.line <= lines:
            raise
        raise CodeFailed("The code ends too early: something is not closed.", line=lines) from None
    if result.value is not True:
        raise CodeFailed(f"The code has no function “{function}”.", f"Write `def {function}(…):`.")


def _encoded(inputs: Mapping[str, object]) -> str:
    try:
        return msgspec.json.encode(inputs).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CodeFailed("The inputs can't be written as JSON.", str(error)) from None


def _run(code: str, inputs: str, limits: Limits, function: str) -> Result:
    from pydantic_monty import CollectString, MontyCrashedError, MontyError

    printed = CollectString(max_bytes=limits.output_chars + PRINT_FLUSH_BYTES)
    call = _CALL.format(name=function, most=limits.output_chars, too_long=_TOO_LONG)
    calling = False
    try:
        with _checkout(limits) as interpreter:
            # The value of a last expression would be copied into this process as it is.
            interpreter.feed_run(f"{code}\nNone", print_callback=printed)
            calling = True
            text = interpreter.feed_run(call, inputs={"__parley_inputs": inputs}, print_callback=printed)
    except MontyCrashedError as error:
        raise _crashed(limits, timed_out=error.timed_out) from None
    except MontyError as error:
        raise _failed(error, limits, function, calling=calling) from None
    return Result(_decoded(text, limits), printed.output[: limits.output_chars])


def _checkout(limits: Limits) -> "MontySession":
    return _pool().checkout(
        limits={
            "max_feed_duration_secs": limits.seconds,
            "max_turn_duration_secs": limits.seconds,
            "max_memory": limits.memory_mb << 20,
            "max_recursion_depth": MAX_RECURSION,
            "max_suspensions": 100,
            "max_total_sleep_secs": 0,
        },
        os_policy={"sleep": "zero"},
    )


def _decoded(text: object, limits: Limits) -> object:
    if text == _TOO_LONG:
        raise CodeFailed(f"The result is longer than {limits.output_chars:,} characters of JSON.")
    try:
        return msgspec.json.decode(str(text))
    except (msgspec.DecodeError, RecursionError):
        raise CodeFailed("The result is no JSON: NaN and infinity are not.") from None


def _failed(error: "MontyError", limits: Limits, function: str, *, calling: bool) -> CodeFailed:
    """Return the error in words of the person who wrote the code."""
    from pydantic_monty import MontyRuntimeError, MontySyntaxError

    text = str(error)[:SHOWN_CHARS]
    if text.startswith(("TimeoutError: feed time limit", "TimeoutError: turn time limit")):
        return _crashed(limits, timed_out=True)
    if text.startswith(("MemoryError: memory limit", "MemoryError: the worker")):
        return CodeFailed(f"The code needs more memory, or prints more, than allowed: {limits.memory_mb} MB.")
    if calling and text == f"NameError: name '{function}' is not defined":
        return CodeFailed(f"The code has no function “{function}”.", f"Write `def {function}(…):`.")
    if not isinstance(error, MontySyntaxError | MontyRuntimeError):
        return CodeFailed(text)
    frames = error.traceback()
    # The last frame of our own call is not theirs: arguments that do not fit, a result that is no JSON.
    ours = calling and frames and frames[-1].filename == frames[0].filename
    return CodeFailed(text, line=frames[-1].line if frames and not ours else None)


def _crashed(limits: Limits, *, timed_out: bool) -> CodeFailed:
    if timed_out:
        return CodeFailed(f"The code ran longer than {limits.seconds:g} seconds and was stopped.")
    return CodeFailed("The code ended its interpreter: it needs too much memory or nests too deeply.")


@cache
def _pool() -> "Monty":
    """Start this process's interpreters when first needed; they end with it."""
    from pydantic_monty import Monty

    # AsyncMonty ends a process that exits soon after a run with SIGABRT, so threads wait here.
    return Monty(max_processes=PROCESSES, max_checkouts_per_worker=RUNS_PER_PROCESS).__enter__()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(PROCESSES, thread_name_prefix="foreign-python")
