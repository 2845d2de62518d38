"""The row of LiteLLM's proxy: the same load, in a separate environment, where somebody asks for it."""

import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench import servers
from bench.bar import Row, failed, judged, median, skipped
from bench.loads import BadRun, chat_plan, dialect_plan, door_plan, run_load
from bench.processes import Process, free_port
from prove.real.environments import LITELLM, litellm_command

VERSION = LITELLM[0].partition("==")[2]
WHAT = "CPU per token, 20 streams of 200 tokens, against LiteLLM's proxy"
PASSED = "the same through the door, passed on as it is"
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
    try:
        program = litellm_command()
    except subprocess.CalledProcessError:
        print(f"SKIPPED: LiteLLM {VERSION} could not be installed.")
        yield skipped(WHAT, f"LiteLLM {VERSION} could not be installed")
        return
    try:
        with (
            rival(folder, program, upstream.port) as proxy,
            servers.parley(folder / "p", upstream.port) as us,
        ):
            runs = [_run_each(proxy, us) for _ in range(ROUNDS)]
    except BadRun as bad:
        yield failed(WHAT, str(bad))
        return
    theirs, chats, door = (median(side) for side in zip(*runs, strict=True))
    for what, ours in ((WHAT, chats), (PASSED, door)):
        share = ours / theirs
        figure = f"1/{1 / share:.1f} ({ours:.0f} : {theirs:.0f} µs; version {VERSION})"
        row = judged(what, figure, (share,), must=(1 / 10,), stretch=(1 / 15,))
        row.must, row.stretch = "≤ 1/10", "≤ 1/15"
        yield row


def _run_each(proxy: Process, us: Process) -> tuple[float, ...]:
    """Return the CPU per token of LiteLLM's proxy, of chats in Parley, and of its door, in µs."""
    plans = (
        (proxy, msgspec.structs.replace(dialect_plan(proxy, 200, **SHAPE), key=KEY)),
        (us, chat_plan(us, 200, **SHAPE)),
        (us, door_plan(us, 200, **SHAPE)),
    )
    return tuple(run_load(server, plan).cpu_us for server, plan in plans)


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
