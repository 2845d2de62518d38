"""A provider whose calls run as Kubernetes Jobs: the same connector, in a container of its own."""

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from parley.connectors.kubernetes.carried import CarriedCall
from parley.connectors.kubernetes.cluster import Cluster
from parley.connectors.kubernetes.numbered import AnswerReader, End
from parley.connectors.kubernetes.pods import NOT_THERE, PodState, lost, too_late
from parley.kernel.connector import (
    ChatRequest,
    Chunk,
    Connector,
    DrawsImages,
    HasNotices,
    ListsModels,
    Prepares,
    Progress,
    StatesSlots,
)
from parley.kernel.errors import Overloaded, Rejected, Unreachable, UpstreamError
from parley.kernel.ids import random_id
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest

MARGIN_S = 5
"""Seconds before the latest line from which a log is read again: lines may be late."""

READS_AFTER_END = 8
"""The times that the log of a Pod that has ended is read without anything new before its answer counts as lost."""

GAP_S = 2.0
"""Seconds without the next line, while later ones come, after which the whole log is read again."""

LOOKS = 20
"""The times that a cluster which does not answer is asked before its calls fail."""

_ASKED_HERE = (
    (ListsModels, "list_models"),
    (StatesSlots, "slots"),
    (Prepares, "prepare"),
    (HasNotices, "notices"),
)


class JobConnector(Connector):
    """Answers each call in a Job of its own. What is no call of a model is asked from Parley's process."""

    def __init__(self, provider: Provider, here: Connector, cluster: Cluster | None) -> None:
        """`here` is the provider's connector in this process."""
        self._provider = provider
        self._here = here
        self._cluster = cluster
        for kind, name in _ASKED_HERE:
            if isinstance(here, kind):
                setattr(self, name, getattr(here, name))

    def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield how the Job starts, then the answer's chunks. Raises UpstreamError."""
        return self._answer(request)

    async def close(self) -> None:
        """Release what the connector in this process holds."""
        await self._here.close()

    async def _answer(
        self, request: ChatRequest | None = None, drawing: DrawRequest | None = None
    ) -> AsyncGenerator[Chunk]:
        cluster = self._cluster
        if cluster is None:
            raise Rejected(
                "This provider runs its calls as Kubernetes Jobs, but the setting `kubernetes` is missing.",
                "Set `kubernetes` in parley.yaml or PARLEY_KUBERNETES, or let this provider run in Parley's process.",
                code="job_without_cluster",
            )
        call = CarriedCall(
            id=random_id(), provider=self._provider, way=cluster.way, request=request, drawing=drawing
        )
        try:
            yield Progress(phase="queued")
            await cluster.start(call)
            pod = ""
            async for state in _started(cluster, call.id):
                pod = state.name
                yield Progress(phase=state.phase, why=state.why)
            async with aclosing(_heard(cluster, call.id, pod)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            cluster.remove(call.id)


class DrawingJobConnector(JobConnector):
    """The same for a provider that draws."""

    def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield how the Job starts, then the pictures. Raises UpstreamError."""
        return self._answer(drawing=request)


def as_jobs(provider: Provider, here: Connector, cluster: Cluster | None) -> JobConnector:
    """Return a connector that runs a provider's calls as Jobs."""
    kind = DrawingJobConnector if isinstance(here, DrawsImages) else JobConnector
    return kind(provider, here, cluster)


async def _started(cluster: Cluster, call_id: str) -> AsyncGenerator[PodState]:
    """Yield what changes until the container runs, which is the last. Raises UpstreamError."""
    now = asyncio.get_running_loop().time
    begun, known = now(), NOT_THERE
    while True:
        state = await _state(cluster, call_id) or NOT_THERE
        if state.stuck is not None:
            raise state.stuck
        if state.phase == "running":
            yield state
            return
        if now() - begun > cluster.setting.start_s:
            raise too_late(state, cluster.setting.start_s)
        if state is not NOT_THERE and (state.phase, state.why) != (known.phase, known.why):
            known = state
            yield state


async def _heard(cluster: Cluster, call_id: str, pod: str) -> AsyncGenerator[Chunk]:
    """Yield the answer from a Pod's log, which is opened again until its end has been read. Raises UpstreamError."""
    now = asyncio.get_running_loop().time
    reader, since, left, moved = AnswerReader(call_id), None, READS_AFTER_END, now()
    state: PodState | None = PodState(name=pod)
    while left:
        before, opened, ended = reader.known, now(), state is None or state.ended is not None
        try:
            async with aclosing(cluster.read_log(pod, since)) as lines:
                async for line in lines:
                    for heard in reader.take(line):
                        moved = now()
                        if isinstance(heard, UpstreamError):
                            raise _Said(heard)
                        if isinstance(heard, End):
                            return
                        yield heard
                    if not ended and reader.has_gap and now() - max(moved, opened) > GAP_S:
                        break
        except _Said as said:
            raise said.error from None
        except UpstreamError:
            # The log is cut, or not there yet: the Pod says whether it will go on.
            pass
        state = await _state(cluster, call_id)
        if state is None or state.ended is not None:
            left = left - 1 if reader.known == before else READS_AFTER_END
            since = None
        elif reader.has_gap or reader.known == before:
            since = None
        else:
            since = math.ceil(now() - moved) + MARGIN_S
    raise lost(state, begun=reader.next > 0)


async def _state(cluster: Cluster, call_id: str) -> PodState | None:
    """Return a call's Pod, if there is one. A cluster that does not answer is asked again. Raises UpstreamError."""
    for left in reversed(range(LOOKS)):
        try:
            return (await cluster.look()).get(call_id)
        except (Unreachable, Overloaded):
            if not left:
                raise
    return None


class _Said(Exception):
    """The model's error, as the Job's log says it."""

    def __init__(self, error: UpstreamError) -> None:
        super().__init__(error.title)
        self.error = error
