"""The row of LiteLLM's proxy: the same load, in a separate environment, where somebody asks for it."""

import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import platformdirs

from bench import servers
from bench.bar import Row, failed, judged, median, skipped
from bench.loads import BadRun, chat_plan, dialect_plan, run_load
from bench.processes import Process, free_port

VERSION = "1.105.0"
"""Pinned. Never 1.82.7 or 1.82.8, which were tampered with."""

WHAT = "CPU per token, 20 streams of 200 tokens, against LiteLLM's proxy"
ROUNDS = 2
SHAPE = {"streams": 20, "repeats": 2, "ramp_s": 4.0}
KEY = f"sk-{secrets.token_hex(24)}"
"""It does not start without one."""

SETTINGS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOG": "ERROR",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_MASTER_KEY": KEY,
}


def litellm_rows(folder: Path, upstream: Process, *, wanted: bool) -> Iterator[Row]:
    """Yield the row; skip it with a message if it was not requested or is not available."""
    if not wanted:
        print("SKIPPED: LiteLLM's proxy is not measured; BENCH_LITELLM=1 installs and measures it.")
        yield skipped(WHAT, "BENCH_LITELLM=1 measures it")
        return
    program = environment()
    if program is None:
        print(f"SKIPPED: LiteLLM {VERSION} could not be installed.")
        yield skipped(WHAT, f"LiteLLM {VERSION} could not be installed")
        return
    try:
        with (
            rival(folder, program, upstream.port) as proxy,
            servers.parley(folder / "p", upstream.port) as us,
        ):
            pairs = [
                (
                    run_load(
                        proxy, msgspec.structs.replace(dialect_plan(proxy, 200, **SHAPE), key=KEY)
                    ).cpu_us,
                    run_load(us, chat_plan(us, 200, **SHAPE)).cpu_us,
                )
                for _ in range(ROUNDS)
            ]
    except BadRun as bad:
        yield failed(WHAT, str(bad))
        return
    share = median([ours / theirs for theirs, ours in pairs])
    theirs, ours = (median(side) for side in zip(*pairs, strict=True))
    figure = f"1/{1 / share:.1f} ({ours:.0f} : {theirs:.0f} µs; version {VERSION})"
    row = judged(WHAT, figure, (share,), must=(1 / 10,), stretch=(1 / 15,))
    row.must, row.stretch = "≤ 1/10", "≤ 1/15"
    yield row


def environment() -> Path | None:
    """Return LiteLLM's program, installed where it is not there yet; None where that fails."""
    folder = platformdirs.user_cache_path("parley-bench", appauthor=False) / f"litellm-{VERSION}"
    program = folder / "bin" / "litellm"
    if program.exists():
        return program
    print(f"Installing LiteLLM {VERSION} into a separate environment …", flush=True)
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / "bin" / "pip"), "install", "--quiet", f"litellm[proxy]=={VERSION}"],
    ):
        if subprocess.run(command, check=False).returncode:
            return None
    return program if program.exists() else None


def rival(folder: Path, program: Path, upstream_port: int) -> Process:
    """Return the proxy, without a database or callbacks."""
    config = folder / "litellm.yaml"
    model = {
        "model_name": "t200r50",
        "litellm_params": {
            "model": "openai/t200r50",
            "api_base": f"http://127.0.0.1:{upstream_port}/v1",
            "api_key": "none",
        },
    }
    config.write_bytes(msgspec.json.encode({"model_list": [model]}))
    port = free_port()
    command = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", str(port)]
    return Process(command, port, folder / "litellm.log", SETTINGS)
