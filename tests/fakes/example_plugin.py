"""The example plugin, built and installed as a third party would, with a model list."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import msgspec

EXAMPLES = Path(__file__).parents[2] / "examples"
BIRDS = {"polly": "repeat", "coco": "count", "rio": "rank", "jago": "question"}


def install_example(folder: Path, name: str = "parley-plugin-panel") -> Path:
    """Build the wheel, install it into its own folder, and return that folder, to put on PYTHONPATH."""
    built, installed = folder / "wheel", folder / "plugins"
    run = partial(subprocess.run, check=True, cwd=EXAMPLES / name, stdout=subprocess.DEVNULL)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)])
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--no-index", "--target", str(installed), str(wheel)])
    return installed


def write_birds(path: Path) -> Path:
    """Write a model list with four models of the plugin's connector."""
    models = [
        {"id": name, "name": name.title(), "routes": [{"provider": "parrots", "model": bird}]}
        for name, bird in BIRDS.items()
    ]
    path.write_bytes(
        msgspec.json.encode({"providers": [{"id": "parrots", "connector": "parrot"}], "models": models})
    )
    return path
