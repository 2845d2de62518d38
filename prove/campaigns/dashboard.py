"""The dashboard on a real Prometheus: each of its expressions is asked, once it has scraped a Parley under use."""

import asyncio
import math
import shutil
import socket
import subprocess
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2  # noqa: TID251 - asks a Prometheus on loopback
import msgspec

from prove.campaign import Batch, Campaign, Skipped, Tally
from tests.fakes.running import RunningParley, a_running_parley

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana" / "parley.json"
KEY = "a-key-of-sixteen-characters"
WAIT_S = 60.0


def expressions() -> list[str]:
    """Return the expressions of all panels."""
    panels = msgspec.json.decode(DASHBOARD.read_bytes())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


class Dashboard:
    """Asks Prometheus each expression, one a trial: it must answer with series that have a value."""

    name = "dashboard"
    guarantee = "Every expression of the dashboard gives a series on a real Prometheus."
    trials = len(expressions())
    batch = trials
    sample = trials

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_ask(batch, expressions()))

    def control(self, batch: Batch) -> Tally:
        """Names and labels that Parley does not have must be noticed, each of them."""
        planted = [
            "rate(parley_request_total[5m])",
            'parley_requests_total{state="failed"}',
            "sum by (person) (parley_tokens_total) > 1e18",
            'histogram_quantile(0.5, parley_first_token_seconds_bucket{provider="none"})',
        ]
        tally = asyncio.run(_ask(batch, planted))
        return tally if len(set(tally.failures)) == len(planted) else Tally(trials=tally.trials)

    def summary(self, tally: Tally) -> str:
        series = tally.figures.get("series", [])
        scrapes = tally.figures.get("scrape seconds", [0.0])
        most = max(scrapes) * 1000
        return (
            f"{int(sum(series))} series from {len(series)} expressions; a scrape took {most:.0f} ms at most"
        )


async def _ask(batch: Batch, asked: Sequence[str]) -> Tally:
    binary = shutil.which("prometheus")
    if binary is None:
        raise Skipped("Prometheus is not installed (apt-get install prometheus)")
    tally = Tally()
    folder = batch.folder / "parley"
    folder.mkdir(parents=True, exist_ok=True)
    async with (
        a_running_parley(folder, metrics_key=KEY) as parley,
        _prometheus(binary, batch.folder, parley.base_url) as prometheus,
    ):
        await _use(parley)
        await _scraped(prometheus, 1)
        await _use(parley)
        await _scraped(prometheus, 3)
        for trial in range(batch.first, batch.first + batch.count):
            expression = asked[trial % len(asked)]
            values = [float(each["value"][1]) for each in await _query(prometheus, expression)]
            tally.note("series", len(values))
            if not values or any(map(math.isnan, values)):
                tally.failures.append(f"{expression}: {values or 'no series'}")
            tally.trials += 1
            batch.step()
        took = await _query(prometheus, 'scrape_duration_seconds{job="parley"}')
        tally.note("scrape seconds", *(float(each["value"][1]) for each in took))
    return tally


async def _use(parley: RunningParley) -> None:
    """Have an answer, and a failure, so that every series has a value."""
    await parley.chat(model="ada")
    parley.upstream.fail(401, model="bob")
    await parley.chat(model="bob")


@asynccontextmanager
async def _prometheus(binary: str, folder: Path, parley_url: str) -> AsyncGenerator[httpx2.AsyncClient]:
    """Run a Prometheus on loopback that scrapes a Parley every second, with the key in a file as in deploy/."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    key, config = folder / "key", folder / "prometheus.yml"
    key.write_text(KEY, "utf-8")
    job = {
        "job_name": "parley",
        "authorization": {"credentials_file": str(key)},
        "static_configs": [{"targets": [parley_url.removeprefix("http://")]}],
    }
    settings = {"global": {"scrape_interval": "1s"}, "scrape_configs": [job]}
    config.write_bytes(msgspec.json.encode(settings))  # JSON is YAML too
    process = subprocess.Popen(  # noqa: ASYNC220 - it only begins; its end is awaited in a thread
        [
            binary,
            f"--config.file={config}",
            f"--storage.tsdb.path={folder / 'series'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=WAIT_S) as client:
            yield client
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


async def _scraped(prometheus: httpx2.AsyncClient, more: int) -> None:
    """Wait until it has scraped so many times more."""
    begun: int | None = None
    async with asyncio.timeout(WAIT_S):
        while True:
            try:
                found = await _query(prometheus, 'count_over_time(up{job="parley"}[1h])')
            except httpx2.TransportError:
                found = []
            count = int(float(found[0]["value"][1])) if found else 0
            begun = count if begun is None else begun
            if count >= begun + more:
                return
            await asyncio.sleep(0.2)


async def _query(prometheus: httpx2.AsyncClient, expression: str) -> list[dict[str, Any]]:
    answer = await prometheus.get("/api/v1/query", params={"query": expression})
    document = answer.json()
    return document["data"]["result"] if document["status"] == "success" else []


CAMPAIGNS: list[Campaign] = [Dashboard()]
