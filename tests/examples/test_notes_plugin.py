"""The notes as an installed package: Parley has their table, routes and command, exports them and erases them.

A table is declared once in a process, so the plugin is used in processes of its own.
"""

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from tests.fakes.example_plugin import install_example
from tests.fakes.process import COMMAND, ParleyProcess, processes
from tests.fakes.running import Client


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the plugin is installed from its wheel."""
    return install_example(tmp_path_factory.mktemp("notes"), "parley-plugin-notes")


@pytest.fixture
def server(tmp_path: Path, package: Path) -> Generator[ParleyProcess]:
    models = tmp_path / "models.yaml"
    models.write_text("models: []\n")
    with processes(tmp_path, models, [package]) as start:
        yield start().wait_until_ready()


async def test_notes_are_written_listed_exported_and_erased(server: ParleyProcess) -> None:
    async with Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False) as client:
        note = (await client.post("/api/notes", json={"text": "Ask for sources."})).json()
        assert (await client.get("/api/notes")).json() == {"notes": [note]}
        problem = await client.post("/api/notes", json={"text": ""})
        assert (problem.status_code, problem.json()["field"]) == (422, "text")
        assert "/api/notes" in (await client.get("/api/openapi.json")).json()["paths"]
        lines = (await client.get("/api/data/export")).content.splitlines()
        assert {"kind": "note", "note": note} in [msgspec.json.decode(line) for line in lines]
        await client.request("DELETE", "/api/data?confirm=delete")
        assert (await client.get("/api/notes")).json() == {"notes": []}


@pytest.mark.slow
def test_notes_have_a_command_which_uses_the_server(server: ParleyProcess, package: Path) -> None:
    def run(*arguments: str) -> str:
        inherited = os.environ  # noqa: TID251 - the child gets ours
        path = os.pathsep.join([str(package), inherited.get("PYTHONPATH", "")])
        variables = {**inherited, "PYTHONPATH": path, "PARLEY_DATA_DIR": str(server.folder / "data")}
        done = subprocess.run(
            [*COMMAND, "notes", *arguments], env=variables, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("add", "Ask for sources.") == "Note saved.\n"
    assert run("list") == "Ask for sources.\n"
