"""A provider whose calls run on a pocket cluster, by default within the test's process."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from parley.connectors.kubernetes import cluster as cluster_module
from parley.connectors.kubernetes.carried import CarriedCall, answer
from parley.connectors.kubernetes.cluster import Cluster
from parley.connectors.kubernetes.connector import JobConnector, as_jobs
from parley.connectors.kubernetes.setting import KubernetesSetting
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Progress
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from tests.fakes.pocket_cluster import PocketCluster, pocket_cluster

KEY = "sk-very-secret"


class Jobs:
    """A provider on a cluster; `here` is its connector, which also answers in the Jobs."""

    def __init__(self, pocket: PocketCluster, cluster: Cluster, here: Connector, provider: Provider) -> None:
        self.pocket = pocket
        self.cluster = cluster
        self.connector: JobConnector = as_jobs(provider, here, cluster)
        self.progress: list[Progress] = []
        self.text = ""

    async def ask(self, model: str = "ada", question: str = "Sing") -> str:
        """Return an answer; `progress` has what was shown before, `text` what came so far. Raises UpstreamError."""
        self.text = ""
        async for each in self.chunks(model, question):
            self.text += each.text if isinstance(each, Delta) else ""
        return self.text

    async def chunks(self, model: str = "ada", question: str = "Sing") -> AsyncGenerator[Chunk]:
        """Yield the chunks of an answer."""
        request = ChatRequest(model=model, messages=(Message("user", question),))
        async for chunk in self.connector.stream(request):
            if isinstance(chunk, Progress):
                self.progress.append(chunk)
            yield chunk


@asynccontextmanager
async def jobs_of(
    here: Connector,
    folder: Path,
    patch: pytest.MonkeyPatch,
    *,
    provider: Provider | None = None,
    inside: bool = True,
    **setting: Any,
) -> AsyncGenerator[Jobs]:
    """Open a provider on a new cluster. Unless `inside`, the command of each Job runs as a process."""

    async def run(call: bytes, write: Callable[[str], None]) -> int:
        return 0 if await answer(CarriedCall.unpacked(call), here, write) else 1

    async with pocket_cluster(folder) as (pocket, kubeconfig):
        patch.setenv("KUBECONFIG", str(kubeconfig))
        patch.setattr(cluster_module, "LOOK_EVERY_S", 0.02)
        pocket.inside = run if inside else None
        cluster = Cluster(KubernetesSetting(image="parley:1", **setting), server="parley-0")
        try:
            yield Jobs(pocket, cluster, here, provider or Provider("near", "openai", None, KEY, run="job"))
        finally:
            await cluster.close()
