"""Forty Jobs at once, each a process of its own, whose logs are cut, doubled, reordered and closed on their way."""

import asyncio
import os
from collections import Counter
from unittest import mock  # noqa: TID251 - the environment, and the planted fault

from parley.connectors.kubernetes import connector as followed
from parley.connectors.kubernetes.cluster import Cluster
from parley.connectors.kubernetes.connector import as_jobs
from parley.connectors.kubernetes.numbered import AnswerReader, Heard
from parley.connectors.kubernetes.setting import KubernetesSetting
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Delta, Finish
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from prove.campaign import Batch, Campaign, Tally, share
from tests.fakes.pocket_cluster import JOBS, SECRETS, Damage, PocketCluster, pocket_cluster
from tests.fakes.upstream import ScriptedUpstream

DAMAGED = 0.05
"""The share of lines to which something happens."""

PIECES = ("la ", "lá ", "🎵", "\n", "\u2028", "\x85", '"\\', "}")


class Careless(AnswerReader):
    """A reader that believes a log: it takes lines as they come."""

    def take(self, text: str) -> list[Heard]:
        """Return what a line says, whatever its number."""
        reader = AnswerReader(self._call_id)
        self._early.clear()
        try:
            reader.next = followed_number(text)
        except ValueError:
            return []
        heard = reader.take(text)
        self.next += bool(heard)
        return heard


def followed_number(text: str) -> int:
    """Return the number of a line. Raises ValueError."""
    return int(text.partition('"n":')[2].partition(",")[0])


class JobLogs:
    name = "job-logs"
    guarantee = (
        "Of calls that run as Kubernetes Jobs, forty at once, none has a wrong answer while their logs are cut, "
        "doubled, reordered, torn and closed; nothing is left in the cluster."
    )
    trials = 400
    batch = 40
    sample = 4

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_storm(batch))

    def control(self, batch: Batch) -> Tally:
        with mock.patch.object(followed, "AnswerReader", Careless):
            return asyncio.run(_storm(batch))

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        damage = sum(len(values) for name, values in figures.items() if name.startswith("damage."))
        whole, waited = figures.get("whole", []), figures.get("first_s", [])
        return (
            f"{damage:,} faults in the logs, {len(whole):,} whole answers, {len(figures.get('lost', [])):,} ended as "
            f"errors, {max(figures.get('at_once', [0])):.0f} at once; the first text after "
            f"{share(waited, 0.5):.1f} s (median, of processes on this machine)"
        )


async def _storm(batch: Batch) -> Tally:
    tally = Tally(trials=batch.count)
    async with ScriptedUpstream() as up, pocket_cluster(batch.folder) as (pocket, kubeconfig):
        with mock.patch.dict(os.environ, KUBECONFIG=str(kubeconfig)):  # noqa: TID251 - as an operator sets it
            await _calls(batch, up, pocket, tally)
        left = [*pocket.names(JOBS), *pocket.names(SECRETS)]
        if left:
            tally.failures.append(f"left in the cluster: {', '.join(left)}")
        for name, count in Counter(pocket.damage.done if pocket.damage else {}).items():
            tally.note(f"damage.{name}", *[1.0] * count)
        tally.note("at_once", pocket.most_running)
    return tally


async def _calls(batch: Batch, up: ScriptedUpstream, pocket: PocketCluster, tally: Tally) -> None:
    provider = Provider("near", "openai", up.url, "sk-secret", local=True, run="job")
    here = OpenAIConnector(provider, HttpClient(WireOptions(allow_loopback=True)))
    cluster = Cluster(KubernetesSetting(image="parley:1", start_s=600), server="parley-0")
    connector = as_jobs(provider, here, cluster)
    pocket.damage = Damage(batch.chance(batch.first), DAMAGED)

    async def call(trial: int) -> None:
        chance = batch.chance(trial)
        words = [f"{number} {chance.choice(PIECES)}" for number in range(chance.randrange(5, 120))]
        up.reply(*words, model=f"m{trial}", delay=chance.choice((0.0, 0.005)))
        text, finished, begun = "", False, asyncio.get_running_loop().time()
        request = ChatRequest(model=f"m{trial}", messages=(Message("user", "Sing"),))
        try:
            async for chunk in connector.stream(request):
                if isinstance(chunk, Delta):
                    if not text:
                        tally.note("first_s", asyncio.get_running_loop().time() - begun)
                    text += chunk.text
                finished = finished or isinstance(chunk, Finish)
        except UpstreamError:
            finished = False
        right = "".join(words)
        if finished:
            tally.note("whole", 1)
        else:
            tally.note("lost", 1)
        if text != right if finished else not right.startswith(text):
            tally.failures.append(
                f"trial {trial}: {len(text)} characters that were not said, of {len(right)}"
            )
        batch.step()

    await asyncio.gather(*(call(trial) for trial in range(batch.first, batch.first + batch.count)))
    await cluster.close()


CAMPAIGNS: list[Campaign] = [JobLogs()]
