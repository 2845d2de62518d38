"""A plugin of the tests: what each takes of the processor, and which take too much.

A test takes at most 2 s unless it is marked `slow`, and those that are take at most 120 s together. Seconds are
those of a machine on which `_spin` takes `SPIN_S`; the machine is measured at the start, and again after each test
that took long, since others may have made it slow meanwhile. What a library takes to load counts for no test, since
any could be the first to need it. Every run says what it took and what is over. With `--cpu-budget`, what is over by
half is run again alone, since beside others a test takes more of the processor, and fails the run if it still is.
"""

import os
import subprocess
import sys
import time
from collections.abc import Generator
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

import pytest

EACH_S, SLOW_S = 2.0, 120.0
SPIN_S = 0.025
TOLERANCE = 1.5

_slowness = pytest.StashKey[float]()
_begun = pytest.StashKey[float]()
_spent: dict[str, float] = {}
_slow: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cpu-budget",
        nargs="?",
        choices=("twice", "once"),
        const="twice",
        help="fail if tests take too much of the processor, also when they run alone (once: they already do)",
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_slowness] = slowness_now()
    _loading.install()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_begun] = _cpu_s() - _loading.spent_s
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, Any]:
    report = yield
    if call.when == "teardown":
        spent = _cpu_s() - _loading.spent_s - item.stash[_begun]
        slowness = max(item.config.stash[_slowness], 1.0)
        if spent > EACH_S:
            slowness = max(slowness, slowness_now())
        vars(report).update(
            cpu_s=spent / slowness,
            may_be_slow=item.get_closest_marker("slow") is not None,
        )
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what a test took; with several processes, this runs in the one that prints."""
    if (spent := getattr(report, "cpu_s", None)) is not None:
        _spent[report.nodeid] = spent
        if getattr(report, "may_be_slow", False):
            _slow.add(report.nodeid)


def over_budget(tolerance: float = 1.0) -> dict[str, float]:
    """Return the tests that take `tolerance` times too much, the dearest first, with their seconds."""
    slow_s = SLOW_S * tolerance
    are_slow_over = sum(_spent[test] for test in _slow) > slow_s
    dear = {test for test, spent in _spent.items() if spent > tolerance * EACH_S} - _slow
    return {
        test: _spent[test]
        for test in sorted(dear | _slow if are_slow_over else dear, key=lambda test: -_spent[test])
    }


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _spent:
        return
    slow = sum(_spent[test] for test in _slow)
    terminalreporter.write_line(
        f"The tests took {sum(_spent.values()):.0f} s of the processor, those marked slow {slow:.0f} "
        f"(at most {SLOW_S:.0f})."
    )
    if over := over_budget():
        terminalreporter.write_line(
            f"Over budget (a test that is not marked slow: {EACH_S:.0f} s):", yellow=True
        )
        terminalreporter.write_line("\n".join(f"{spent:.1f} s  {test}" for test, spent in over.items()))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    asked: str | None = session.config.getoption("--cpu-budget")
    is_whole = not hasattr(session.config, "workerinput")
    over = over_budget(TOLERANCE) if is_whole and asked and exitstatus == 0 else {}
    if over and (asked == "once" or _are_over_alone(list(over))):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _are_over_alone(tests: list[str]) -> bool:
    """Run tests again in a process that does nothing else, which says what they took."""
    command = [sys.executable, "-m", "pytest", "-q", "--cpu-budget=once", *tests]
    return subprocess.run(command, check=False).returncode != 0


def slowness_now() -> float:
    """Return how many times as long as usual this machine computes."""
    begun = time.process_time()
    for _ in range(3):
        _spin()
    return (time.process_time() - begun) / 3 / SPIN_S


class _Loading:
    """What this process has taken to load modules."""

    def __init__(self) -> None:
        self.spent_s = 0.0
        self._depth = 0

    def install(self) -> None:
        load, loading = SourceFileLoader.exec_module, self

        def timed(self: SourceFileLoader, module: ModuleType) -> None:
            begun = time.process_time()
            loading._depth += 1
            try:
                load(self, module)
            finally:
                loading._depth -= 1
                if not loading._depth:  # the modules that this one loads are in its own time
                    loading.spent_s += time.process_time() - begun

        SourceFileLoader.exec_module = timed


_loading = _Loading()


def _cpu_s() -> float:
    """Return the seconds of the processor that this process and its ended children took."""
    return sum(os.times()[:4])


def _spin() -> int:
    return sum(number * number % 7 for number in range(600_000))
