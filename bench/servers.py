"""The servers of a bench: the upstream, the pass-through, and Parley with models that the upstream plays."""

from pathlib import Path

import msgspec

from bench.processes import ROOT, Process, free_port, module

MODELS = ("t200r50", "t400r50", "t800r50", "t8r50", "t50r50", "m1200r100")
TWINS = 2


def upstream(folder: Path) -> Process:
    """Return the model server."""
    port = free_port()
    return Process(module("upstream", port), port, folder / "upstream.log")


def passthrough(folder: Path, upstream_port: int) -> Process:
    """Return the bare pass-through."""
    port = free_port()
    return Process(module("passthrough", port, upstream_port), port, folder / "passthrough.log")


def parley(folder: Path, upstream_port: int | None = None, *, battle_model: str = "t800r50") -> Process:
    """Return Parley as it comes; without an upstream it has its demo models alone."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command = [str(ROOT / ".venv" / "bin" / "parley"), "serve", "--no-open", "--port", str(port)]
    command += ["--data-dir", str(folder / "data")]
    if upstream_port is not None:
        command += ["--models", str(write_models(folder / "models.yaml", upstream_port, battle_model))]
    return Process(command, port, folder / "parley.log")


def write_models(path: Path, upstream_port: int, battle_model: str) -> Path:
    """Write the model list: every model twice, so that two of a kind can meet. JSON is YAML too.

    Each twin has a provider of its own: entries with a route in common are one model, which never meets itself.
    """
    address = f"http://127.0.0.1:{upstream_port}/v1"
    providers = [{"id": f"bench-{twin}", "connector": "openai", "base_url": address} for twin in range(TWINS)]
    models = [
        {
            "id": f"{model}-{twin}",
            "routes": [{"provider": f"bench-{twin}", "model": model}],
            "tags": ["battle"] if model == battle_model else [],
        }
        for model in MODELS
        for twin in range(TWINS)
    ]
    path.write_bytes(msgspec.json.encode({"providers": providers, "models": models}))
    return path
