"""The cluster: Jobs are made, looked at, read and removed through its API."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from parley.connectors.kubernetes import manifests
from parley.connectors.kubernetes.carried import CarriedCall, Way
from parley.connectors.kubernetes.pods import PodState, read_pod
from parley.connectors.kubernetes.setting import KubernetesSetting
from parley.kernel.errors import Garbled, Overloaded, ParleyError, Rejected, Unreachable, UpstreamError

if TYPE_CHECKING:
    from lightkube import AsyncClient
    from lightkube.resources.batch_v1 import Job
    from lightkube.resources.core_v1 import Pod

T = TypeVar("T")

LOOK_EVERY_S = 0.5
"""Seconds between two lists of Pods while a call waits; one list serves all calls."""

SWEEP_EVERY_S = 60.0
SILENT_S = 15.0
"""Seconds without a line after which a log is opened again: some connections break without a word."""

MOST_LOGS = 80
"""The most logs that are followed at once; the client keeps 100 connections."""

log = logging.getLogger(__name__)


class Cluster:
    """Runs calls as Jobs in one namespace. Nothing is connected, and no library loaded, before the first call."""

    def __init__(self, setting: KubernetesSetting, way: Way | None = None, server: str | None = None) -> None:
        """`way` is how Jobs reach model servers; `server` names this process among those of the installation."""
        self.setting = setting
        self.way = way or Way()
        self.server = server or _as_label(socket.gethostname())
        self.namespace = setting.namespace or ""
        self._client: AsyncClient | None = None
        self._known: set[str] = set()
        self._removing: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[Mapping[str, PodState]] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._logs = asyncio.Semaphore(MOST_LOGS)

    def begin(self) -> None:
        """Begin to remove Jobs that nobody knows: one process of an installation's server does that, no command."""
        self._sweeping = asyncio.create_task(self._sweep_again())

    async def start(self, call: CarriedCall) -> None:
        """Make the Job of a call, and the Secret that it reads; `remove` it whatever happens. Raises UpstreamError."""
        packed = call.packed()
        client = self._open()
        from lightkube.resources.batch_v1 import Job
        from lightkube.resources.core_v1 import Secret

        self._known.add(call.id)
        with _explained(self.namespace):
            job = manifests.job(self.setting, self.namespace, self.server, call.id)
            made = cast("Job", await client.create(cast("Any", Job).from_dict(job)))
            uid = (made.metadata and made.metadata.uid) or ""
            secret = manifests.secret(self.setting, self.namespace, self.server, call.id, uid, packed)
            await client.create(cast("Any", Secret).from_dict(secret))

    def remove(self, call_id: str) -> None:
        """Remove a call's Job, and with it Pod and Secret, without waiting for that."""
        if call_id not in self._known:
            return
        task = asyncio.create_task(self._remove(call_id))
        self._removing.add(task)
        task.add_done_callback(self._removing.discard)

    async def look(self) -> Mapping[str, PodState]:
        """Return the Pods of all calls by the calls' ids, from a list made after this call. Raises UpstreamError."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def read_log(self, pod: str, since_s: int | None) -> AsyncGenerator[str]:
        """Yield the lines of a Pod's log as they come, from some seconds ago or all. Ends early if it falls silent."""
        async with self._logs:
            with _explained(self.namespace):
                opened = self._open().log(
                    pod,
                    namespace=self.namespace,
                    container=manifests.CONTAINER,
                    follow=True,
                    since=since_s,
                    newlines=False,
                )
                async with aclosing(cast("AsyncGenerator[str]", opened)) as lines:
                    while True:
                        try:
                            async with asyncio.timeout(SILENT_S):
                                line = await anext(lines, None)
                        except TimeoutError:
                            return
                        except RuntimeError as error:  # how lightkube fails on a log that is refused
                            raise Unreachable(f"There is no log of the Pod {pod} now: {error}") from None
                        if line is None:
                            return
                        yield line

    async def sweep(self) -> list[str]:
        """Remove the Jobs of this installation that nobody knows; return their calls' ids. Raises UpstreamError."""
        from lightkube.resources.batch_v1 import Job
        from lightkube.resources.core_v1 import Pod

        swept, here = list[str](), {self.server: self._known}
        with _explained(self.namespace):
            for job in await self._list(Job, {manifests.INSTALLATION: self.setting.name}):
                named = _labels(job)
                call_id, server = named.get(manifests.CALL, ""), named.get(manifests.SERVER, "")
                if server != self.server and len(here) == 1:
                    # A server in the cluster goes by its Pod's name: those that run know their Jobs themselves.
                    here |= {_as_label(name): set[str]() for name in _running(await self._list(Pod))}
                if call_id not in self._known if server == self.server else server not in here:
                    swept.append(call_id)
        for call_id in swept:
            log.info("removing the Job of the call %s, which nobody waits for", call_id)
            await self._remove(call_id)
        return swept

    async def close(self) -> None:
        """Remove the Jobs that are left, and end all connections."""
        if self._sweeping:
            self._sweeping.cancel()
        for call_id in tuple(self._known):
            self.remove(call_id)
        tasks: list[asyncio.Task[Any]] = [*self._removing]
        tasks += [each for each in (self._sweeping, self._looking) if each is not None]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await asyncio.gather(*tasks, return_exceptions=True)
        if self._client:
            await self._client.close()

    def _open(self) -> "AsyncClient":
        if self._client is None:
            self._client = client = _connect(self.setting.namespace)
            self.namespace = client.namespace
        return self._client

    async def _sweep_again(self) -> None:
        reported = ""
        while True:
            try:
                await self.sweep()
                reported = ""
            except ParleyError as error:
                if error.title != reported:
                    log.warning("Can't look for Jobs that are left: %s %s", error.title, error.detail or "")
                reported = error.title
            await asyncio.sleep(SWEEP_EVERY_S)

    async def _look(self) -> Mapping[str, PodState]:
        await asyncio.sleep(LOOK_EVERY_S)
        from lightkube.resources.core_v1 import Pod

        labels = {manifests.INSTALLATION: self.setting.name, manifests.SERVER: self.server}
        with _explained(self.namespace):
            pods = await self._list(Pod, labels)
        return {_labels(pod).get(manifests.CALL, ""): read_pod(pod) for pod in pods}

    async def _list(self, kind: type[T], labels: dict[str, str] | None = None) -> list[T]:
        listed = cast("Any", self._open()).list(kind, namespace=self.namespace, labels=labels)
        return [each async for each in listed]

    async def _remove(self, call_id: str) -> None:
        from lightkube.resources.batch_v1 import Job
        from lightkube.types import CascadeType

        try:
            with _explained(self.namespace, missing_is_fine=True):
                await self._open().delete(
                    Job,
                    manifests.name_of(call_id),
                    namespace=self.namespace,
                    cascade=CascadeType.BACKGROUND,
                )
        except UpstreamError as error:
            log.warning("A Job could not be removed, the next sweep tries again: %s", error.title)
        finally:
            self._known.discard(call_id)


def _labels(made: "Job | Pod") -> dict[str, str]:
    return cast("dict[str, str] | None", made.metadata and cast("Any", made.metadata).labels) or {}


def _running(pods: "Iterable[Pod]") -> Iterator[str]:
    for pod in pods:
        if pod.metadata and pod.metadata.name and pod.status and pod.status.phase in ("Pending", "Running"):
            yield pod.metadata.name


def _connect(namespace: str | None) -> "AsyncClient":
    """Return a client of the cluster that Parley runs in, or of the current context. Raises UpstreamError."""
    try:
        from lightkube import AsyncClient
        from lightkube.core.exceptions import ConfigError
    except ModuleNotFoundError:
        raise Rejected(
            "This provider runs its calls as Kubernetes Jobs, which need the package lightkube.",
            "Install it with `pip install 'parley[kubernetes]'` and restart Parley, or let this provider run in "
            "Parley's own process.",
            code="job_not_installed",
        ) from None
    try:
        return AsyncClient(namespace=namespace)
    except (ConfigError, OSError, ValueError) as error:
        raise Rejected(
            f"There is no Kubernetes cluster to run Jobs on: {error}.",
            "Run Parley in the cluster, or set KUBECONFIG to the file that kubectl uses.",
            code="job_without_cluster",
        ) from None


@contextmanager
def _explained(namespace: str, *, missing_is_fine: bool = False) -> Generator[None]:
    """Turn errors of the cluster's API into those that a person understands."""
    from httpx2 import HTTPError, HTTPStatusError  # noqa: TID251 - the errors of lightkube
    from lightkube.core.exceptions import ConfigError

    try:
        yield
    except HTTPStatusError as error:
        status = error.response.status_code
        if not (missing_is_fine and status == 404):
            raise _refusal(status, _message(error.response.content), namespace) from None
    except HTTPError as error:
        cause = str(error) or type(error).__name__
        raise Unreachable(
            f"Can't reach the Kubernetes cluster: {cause}.", "Check the cluster, then ask again."
        ) from None
    except msgspec.ValidationError as error:
        raise Garbled(f"The Kubernetes cluster says something that is not understood: {error}.") from None
    except ConfigError as error:
        raise Rejected(
            f"Can't sign in to the Kubernetes cluster: {error}.", code="job_without_cluster"
        ) from None


class _Status(msgspec.Struct):
    message: str = ""


def _message(body: bytes) -> str:
    """Return what an answer of the API says of an error."""
    try:
        message = msgspec.json.decode(body, type=_Status).message
    except msgspec.DecodeError:
        message = ""
    return message.rstrip(".") or "it does not say why"


def _refusal(code: int, message: str, namespace: str) -> UpstreamError:
    if "exceeded quota" in message or code == 429 or code >= 500:
        return Overloaded(
            f"The Kubernetes cluster takes no Job now: {message}.", "Ask again later, or raise the quota."
        )
    if code in (401, 403):
        return Rejected(
            f"The Kubernetes cluster does not let Parley run Jobs in “{namespace}”: {message}.",
            "Give Parley's service account the Role of the Helm chart (`kubernetes.enabled`).",
            code="job_forbidden",
        )
    return Rejected(f"The Kubernetes cluster refuses the call's Job: {message}.", code="job_refused")


def _as_label(name: str) -> str:
    """Return a name as the value of a label."""
    return re.sub(r"[^A-Za-z0-9_.-]", "-", name)[:63].strip("-_.") or "parley"
