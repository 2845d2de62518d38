"""The package as people install it: its wheel alone serves the page and plays a battle."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.fakes.process import processes
from tests.fakes.running import Client

ROOT = Path(__file__).parents[1]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which Parley is installed from its wheel, to put on PYTHONPATH."""
    run = partial(subprocess.run, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "wheel")])
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--no-index", "--target", str(tmp_path / "installed"), str(wheel)])
    return tmp_path / "installed"


@pytest.mark.slow
async def test_an_installed_wheel_serves_the_page_and_a_battle(installed: Path, tmp_path: Path) -> None:
    variables = {"PYTHONPATH": str(installed), "PARLEY_DISCOVER_AT": "none"}
    where = [sys.executable, "-c", "import parley; print(parley.__file__)"]
    asked = subprocess.run(  # noqa: ASYNC221 - nothing else runs in this loop
        where, env=variables, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert Path(asked.stdout.strip()).is_relative_to(installed)
    models = tmp_path / "models.yaml"
    models.write_text("models: []\n")
    with processes(tmp_path, models) as start:
        server = start(**variables).wait_until_ready()
        async with Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False) as client:
            assert '<div id="root">' in (await client.get("/")).text
            prompt = {"prompt": "Why is the sky blue?", "mode": "battle"}
            battle = await client.post("/api/sessions", json=prompt, headers={"Accept": "application/json"})
            assert battle.json()["status"] == "completed"
            vote = await client.post(f"/api/matches/{battle.json()['match_id']}/vote", json={"vote": "left"})
            # Some of the demo models say who they are, and then the vote does not count.
            assert vote.json()["seats"].keys() == {"left", "right"}
        assert server.stop()[0] == 0
