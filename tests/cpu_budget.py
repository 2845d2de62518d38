"""A plugin of the tests: what each takes of the processor, and which take too much.

A test takes at most 2 s unless it is marked `slow`, and those that are take at most 120 s together. Seconds are
those of a machine on which `_spin` takes `SPIN_S`, so a slow or busy machine fails no test. What a library takes to
load counts for no test, since any could be the first to need it. `--cpu-budget` makes a run fail that is over the
budget; every run says what it took.
"""

import os
import time
from collections.abc import Generator
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

import pytest

EACH_S, SLOW_S = 2.0, 120.0
SPIN_S = 0.025

_slowness = pytest.StashKey[float]()
_begun = pytest.StashKey[float]()
_spent: dict[str, float] = {}
_slow: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-budget", action="store_true", help="fail if tests take too much of the processor")


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_slowness] = _measure()
    _loading.install()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_begun] = _cpu_s() - _loading.spent_s
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, Any]:
    report = yield
    if call.when == "teardown":
        slowness = max(item.config.stash[_slowness], 1.0)
        vars(report).update(
            cpu_s=(_cpu_s() - _loading.spent_s - item.stash[_begun]) / slowness,
            may_be_slow=item.get_closest_marker("slow") is not None,
        )
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what a test took; with several processes, this runs in the one that prints."""
    if (spent := getattr(report, "cpu_s", None)) is not None:
        _spent[report.nodeid] = spent
        if getattr(report, "may_be_slow", False):
            _slow.add(report.nodeid)


def over_budget() -> list[str]:
    """Return a line for each test that takes too much, and one if the slow ones do together."""
    dear = {test: spent for test, spent in _spent.items() if spent > EACH_S and test not in _slow}
    lines = [f"{spent:.1f} s  {test}" for test, spent in sorted(dear.items(), key=lambda it: -it[1])]
    slow = sum(_spent[test] for test in _slow)
    return [*lines, f"{slow:.0f} s  all tests marked slow (at most {SLOW_S:.0f})"] if slow > SLOW_S else lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _spent:
        terminalreporter.write_line(f"The tests took {sum(_spent.values()):.0f} s of the processor.")
    if lines := over_budget():
        terminalreporter.write_line(
            f"Over {EACH_S:.0f} s of the processor, and not marked slow:", yellow=True
        )
        terminalreporter.write_line("\n".join(lines))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    is_whole = not hasattr(session.config, "workerinput")
    if is_whole and session.config.getoption("--cpu-budget") and exitstatus == 0 and over_budget():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


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


def _measure() -> float:
    """Return how many times as long as usual this machine computes."""
    begun = time.process_time()
    for _ in range(3):
        _spin()
    return (time.process_time() - begun) / 3 / SPIN_S


def _spin() -> int:
    return sum(number * number % 7 for number in range(600_000))
