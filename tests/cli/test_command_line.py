"""Tests of the command line's own behaviour: errors, ports, texts, and how fast it loads."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from parley.cli import models as models_command
from parley.cli import serve as serve_command
from parley.cli.app import SUMMARIES, app
from parley.features.catalog.service import CatalogService
from parley.kernel.errors import Unavailable
from parley.kernel.models import Model, Prices, Provider, Route
from parley.settings import Settings
from tests.fakes.commands import carry_out


def catalog(count: int, *, demo: bool = False) -> CatalogService:
    models = [
        Model(
            id=f"m{n}",
            name="M",
            organization="O",
            family="F",
            license="MIT",
            routes=(Route("p", "m"),),
            demo=demo,
        )
        for n in range(count)
    ]
    return CatalogService((Provider("p", "openai"),), models)


def test_the_version_is_printed() -> None:
    assert carry_out("--version").stdout.startswith("parley 0.")


def test_a_wrong_setting_is_reported_without_a_stack_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parley.yaml").write_text("port: x\nhost: 0.0.0.0\n")
    done = carry_out("serve", "--config", "parley.yaml")
    assert done.status == 2
    first, second = done.stderr.splitlines()
    assert first == "error: parley.yaml:1: port: must be a whole number"
    assert second.startswith("       parley.yaml:2: host: 0.0.0.0 is not a loopback address.")


def test_an_unknown_command_is_reported() -> None:
    assert carry_out("dance").status == 2


def test_importing_parley_loads_nothing_heavy() -> None:
    code = (
        "import sys, parley, parley.cli; "
        "heavy = {'httptools', 'sqlalchemy', 'fastapi', 'pydantic', 'typer', 'rich', 'uvicorn', 'asyncio'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_loads_no_command_and_says_what_each_of_them_says() -> None:
    code = (
        "import sys; sys.argv = ['parley', '--help']; from parley.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('parley.cli.')))\n"
        "print(sorted({'sqlalchemy', 'fastapi', 'pydantic', 'numpy', 'asyncio'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:-1] == ["['parley.cli.app', 'parley.cli.terminal']"]
    assert "sqlalchemy" not in done.stdout.splitlines()[-1]
    said = {name: short_help(command) for name, command in typer.main.get_group(app).commands.items()}
    assert said == SUMMARIES
    assert all(name in done.stdout for name in SUMMARIES)


def short_help(command: object) -> str:
    assert isinstance(command, TyperCommand | TyperGroup)
    return " ".join((command.help or "").split("\n\n")[0].split())


def test_the_command_line_itself_loads_nothing_heavy() -> None:
    code = (
        "import sys, parley.cli.app; "
        "heavy = {'httptools', 'sqlalchemy', 'fastapi', 'pydantic', 'uvicorn'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_port_that_is_taken_is_reported_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(Unavailable) as caught:
            serve_command.free_port("127.0.0.1", port)
    assert caught.value.title == f"Can't listen on 127.0.0.1, port {port}: another program uses it."
    assert "--port" in (caught.value.detail or "")


def test_port_zero_takes_a_free_one() -> None:
    assert serve_command.free_port("127.0.0.1", 0) > 0


def test_the_start_text_tells_page_models_and_data(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, models=Path("config/models.yaml"))
    text = serve_command.start_text(settings, catalog(3))
    assert "http://127.0.0.1:8400" in text
    assert "3 from config/models.yaml" in text
    assert str(tmp_path) in text


def test_the_start_text_says_where_to_describe_real_models(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert "2 built-in demo models" in serve_command.start_text(settings, catalog(2, demo=True))
    assert f"none yet. Add them on the page, or in {tmp_path / 'models.yaml'}" in serve_command.start_text(
        settings, catalog(0)
    )


@pytest.mark.parametrize(("host", "url"), [("::1", "http://[::1]:8400"), ("[::1]", "http://[::1]:8400")])
def test_an_address_of_version_six_stands_in_brackets(host: str, url: str) -> None:
    assert Settings(host=host).url == url


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":10", "SSH_CONNECTION": "x"}, False),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_browser_opens_only_where_there_is_a_desktop(
    platform: str, variables: dict[str, str], expected: bool
) -> None:
    assert serve_command.has_desktop(platform, variables) is expected


def test_the_example_is_printed() -> None:
    done = carry_out("models", "--example")
    assert done.stdout == models_command.example_text()
    assert "providers:" in done.stdout


def test_prices_are_shown_per_million_tokens() -> None:
    assert models_command.price_text(Prices(0.1, 2)) == "0.10 / 2.00"
    assert models_command.price_text(None) == "–"
