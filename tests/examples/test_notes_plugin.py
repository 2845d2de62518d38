"""The notes as an installed package: Parley has their table, routes and command, exports them and erases them."""

from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from parley.cli import app as command_line
from tests.fakes.commands import runner
from tests.fakes.example_plugin import install_example
from tests.fakes.running import a_running_parley

PACKAGE = "parley_plugin_notes"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the plugin is installed from its wheel."""
    return install_example(tmp_path_factory.mktemp("notes"), "parley-plugin-notes")


@pytest.fixture(scope="module")
def installed(package: Path) -> Generator[None]:
    """The plugin among what is installed for this process. Its table can be declared once in a process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(package))
        yield


@pytest.mark.usefixtures("installed")
async def test_notes_are_written_listed_exported_and_erased(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        note = await parley.post("/api/notes", {"text": "Ask for sources."})
        assert (await parley.get("/api/notes"))["notes"] == [note]
        problem = await parley.post("/api/notes", {"text": ""}, 422)
        assert problem["field"] == "text"
        lines = (await parley.client.get("/api/data/export")).content.splitlines()
        assert {"kind": "note", "note": note} in [msgspec.json.decode(line) for line in lines]
        await parley.client.request("DELETE", "/api/data?confirm=delete")
        assert (await parley.get("/api/notes"))["notes"] == []
    async with a_running_parley(tmp_path) as parley:
        assert "/api/notes" in (await parley.get("/api/openapi.json"))["paths"]


@pytest.mark.usefixtures("installed")
def test_notes_have_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path, monkeypatch, "notes")
    assert run("add", "Ask for sources.").stdout == "Note saved.\n"
    assert run("list").stdout == "Ask for sources.\n"
    groups = command_line.app.registered_groups
    groups[:] = [group for group in groups if group.name != "notes"]
