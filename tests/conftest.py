"""For all tests: real requests are forbidden, and marked tests run on every kind of database."""

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Generator
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import HealthCheck, settings

from tests.fakes import own_postgres
from tests.fakes.databases import KINDS, SET, Kind, drop_all, drop_leftovers, in_own_loop, testing_on

pytest_plugins = ["tests.cpu_budget", "tests.fakes.tls"]

NOBODY = tuple(
    ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
)
"""Documentation networks (RFC 5737, RFC 3849): nobody is there, so tests may try to reach them."""


# How long an example takes says what else the machine does.
settings.register_profile("parley", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("parley")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts what runs beside it so, and every command that tests interrupt inherits it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class RealRequest(RuntimeError):
    """A test tried to reach another computer."""


def _refuse_real_requests(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0]).partition("%")[0]
        if not _allowed(host):
            raise RealRequest(f"A test tried to reach {host}. Tests use loopback only.")


def _allowed(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or any(address in net for net in NOBODY if net.version == address.version)


sys.addaudithook(_refuse_real_requests)


def pytest_configure(config: pytest.Config) -> None:
    """Forget the settings of whoever runs the tests: neither these nor the commands they start heed them."""
    settings = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PARLEY_")}  # noqa: TID251
    if server := settings.get("PARLEY_TEST_POSTGRES"):
        os.environ[SET] = server  # noqa: TID251 - for the workers
    own_postgres.name_folder()


def pytest_collection_finish(session: pytest.Session) -> None:
    # All tests and what they import stay: a collection that walks through them takes most of a second, in any test.
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        own_postgres.stop()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """End the run with one line that says what was not tested, and why."""
    yield
    reasons = Counter(
        report.longrepr[2].partition(": ")[2]
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        untested = "; ".join(f"{reason} ({number} tests)" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"!!! NOT TESTED: {untested}", red=True, bold=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--databases", default=",".join(KINDS), help="kinds of databases to test, comma-separated"
    )
    parser.addoption(
        "--everything",
        action="store_true",
        help="test on every kind of database, and a sample of every campaign, as each night",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each kind of database that a test is marked for; without a mark that is SQLite."""
    if "stored_in" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("databases")
        usual = KINDS if metafunc.config.getoption("--everything") else KINDS[:1]
        chosen = str(metafunc.config.getoption("--databases")).split(",")
        kinds = [kind for kind in (marker.args if marker else usual) if kind in chosen]
        metafunc.parametrize("stored_in", kinds, indirect=True, scope="session")


@pytest.fixture(autouse=True)
def no_wait_for_the_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SQLite within the tests leave its commits to the system, unless a test is about durability."""
    if request.node.get_closest_marker("durable") is None:
        monkeypatch.setattr("parley.storage.sqlite_store.SYNCHRONOUS", "OFF")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a Parley within the tests wait longer for PostgreSQL: a machine full of tests stands still for seconds."""
    monkeypatch.setattr("parley.storage.server_store.WITHIN_S", 30.0)
    monkeypatch.setattr("parley.storage.server_store.LOCKED_S", 20.0)
    monkeypatch.setattr("parley.storage.server_driver.CONNECT_S", 30)


@pytest.fixture(scope="session")
def stored_in(request: pytest.FixtureRequest) -> Generator[Kind]:
    """The kind of database that the test runs on; who starts a Parley gets one."""
    kind: Kind = request.param
    if kind == "postgresql":
        in_own_loop(drop_leftovers())
    with testing_on(kind):
        yield kind
    if kind == "postgresql":
        drop_all()
