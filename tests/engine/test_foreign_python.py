"""People's own Python: values in and out, errors that name the line, and limits that hold."""

import subprocess
import sys
import time

import pytest

from parley.engine import foreign_python
from parley.engine.foreign_python import CodeFailed, Limits, check_syntax, run
from tests.engine.hostile_programs import PROGRAMS

TIGHT = Limits(seconds=0.03, memory_mb=16, output_chars=10_000)
PARTS = 8


async def test_a_function_gets_its_inputs_by_name_and_returns_json() -> None:
    code = "def run(rows, word):\n    print('counted')\n    return {'n': len(rows), 'word': word.upper(), 'none': None}"
    result = await run(code, {"rows": [1, {"a": [2.5, True]}], "word": "löwe"})
    assert result.value == {"n": 2, "word": "LÖWE", "none": None}
    assert result.printed == "counted\n"


async def test_an_error_names_the_line_of_the_code() -> None:
    with pytest.raises(CodeFailed, match="Line 3: ZeroDivisionError") as failure:
        await run("def run(n):\n    m = 0\n    return n / m", {"n": 1})
    assert failure.value.line == 3
    with pytest.raises(CodeFailed, match="Line 2: "):
        await run("x = 1\nx = = 2", {})


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def other(): pass", "no function “run”"),
        ("def run(): return {1, 2}", "not JSON serializable"),
        ("def run(): return float('nan')", "NaN"),
        ("def run(a): return 1", "missing"),
        ("def run(): return 'x' * 100_001", "longer than 100,000"),
        ("x" * 50_001, "50,001 characters"),
    ],
)
async def test_code_that_does_not_fit_is_refused_with_the_reason(code: str, message: str) -> None:
    with pytest.raises(CodeFailed, match=message) as failure:
        await run(code, {})
    assert failure.value.line is None


async def test_syntax_can_be_checked_without_a_call() -> None:
    await check_syntax("def check(answer): raise ValueError", "check")
    for code in ("def check(", "check = 3", "def other(): pass", "import socket"):
        with pytest.raises(CodeFailed):
            await check_syntax(code, "check")


@pytest.mark.parametrize("part", range(PARTS))
async def test_hostile_programs_are_refused_in_bounded_time(part: int) -> None:
    assert len(PROGRAMS) >= 200
    for program in PROGRAMS[part::PARTS]:
        started = time.monotonic()
        with pytest.raises(CodeFailed):
            await run(program, {}, TIGHT)
        assert time.monotonic() - started < 20, program


async def test_the_limits_are_what_refuses_long_and_large_programs() -> None:
    """The positive control: the same programs end by themselves where the limits are wide."""
    wide = Limits(seconds=60, memory_mb=256, output_chars=10_000)
    for program in (
        "def run():\n    for i in range(1_000_000): pass\n    return 1",
        "def run(): return len('x' * 20_000_000)",
        "def run(): return 'x' * 9_000",
    ):
        assert (await run(program, {}, wide)).value
        with pytest.raises(CodeFailed):
            await run(program, {}, Limits(seconds=0.005, memory_mb=8, output_chars=8_000))


async def test_one_program_knows_nothing_of_another() -> None:
    await run("secret = 'of one'\ndef run(): return secret", {})
    for _ in range(foreign_python.PROCESSES * 2):
        with pytest.raises(CodeFailed, match="not defined"):
            await run("def run(): return secret", {})


def test_a_process_that_exits_after_a_run_exits_cleanly() -> None:
    code = (
        "import asyncio; from parley.engine.foreign_python import run;"
        "print(asyncio.run(run('def run(): return 1', {})).value)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "1\n"
