"""A pocket cluster: Kubernetes' API over HTTP, with Jobs whose commands really run, and logs that can be damaged."""

import asyncio
import base64
import contextlib
import random
import re
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import aiohttp.web
import kmock
import yaml

from parley.kernel.ids import random_id

NAMESPACE = "models"
JOBS, PODS, SECRETS = "batch/v1/jobs", "v1/pods", "v1/secrets"
LOG = re.compile(rf"/api/v1/namespaces/{NAMESPACE}/pods/([^/]+)/log")


class Damage:
    """What happens to lines of logs on their way: to a `share` of them one of `KINDS`, as `chance` decides."""

    KINDS = ("cut", "closed", "torn", "doubled", "swapped", "late", "dropped", "noise", "again")

    def __init__(self, chance: random.Random, share: float) -> None:
        self.chance = chance
        self.share = share
        self.done: dict[str, int] = {}

    def next(self) -> str | None:
        """Return what happens to the next line; None if nothing does."""
        if self.chance.random() >= self.share:
            return None
        kind = self.chance.choice(self.KINDS)
        self.done[kind] = self.done.get(kind, 0) + 1
        return kind


class _Container:
    """A container: the lines that it has written, with their times."""

    def __init__(self) -> None:
        self.started = False
        self.lines: list[tuple[float, bytes]] = []
        self.ended = False
        self._grown = asyncio.Event()

    def write(self, line: bytes) -> None:
        """Write a line to the log."""
        if line:
            self.lines.append((time.monotonic(), line))
        self.tell()

    def tell(self) -> None:
        """Wake those who follow the log."""
        self._grown.set()
        self._grown = asyncio.Event()

    async def grown(self) -> None:
        """Wait until there is more of the log, or it has ended."""
        await self._grown.wait()


class _Api(kmock.KubernetesEmulator):
    """The API with what the emulator lacks: label selectors, logs, and a controller that is told of Jobs."""

    cluster: "PocketCluster"

    async def _handle(self, request: Any) -> aiohttp.web.StreamResponse:
        return await self.cluster.handle(request, super()._handle)

    async def _serve_list(self, request: Any) -> Any:
        wanted = dict(each.split("=") for each in request.params.get("labelSelector", "").split(",") if each)
        listed = [
            made.raw
            for (kind, _, _), made in self.objects.items()
            if kind == request.resource and not made.deleted
        ]
        items = [each for each in listed if wanted.items() <= each["metadata"].get("labels", {}).items()]
        return {"metadata": {"resourceVersion": "1"}, "items": items}


class PocketCluster:
    """Serves the API and controls Jobs. `pending` and `waiting` keep Pods from starting, as a real cluster may."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.api = _Api()
        self.api.cluster = self
        self.damage: Damage | None = None
        self.pending: str | None = None
        self.waiting: dict[str, str] | None = None
        self.refuses: dict[tuple[str, str], tuple[int, str]] = {}
        self.inside: Callable[[bytes, Callable[[str], None]], Awaitable[int]] | None = None
        """What runs in place of the command, with the call's file; by default the command itself, as a process."""
        self.edit: Callable[[bytes], bytes] = bytes
        """What becomes of each line that a container writes."""
        self.used: set[tuple[str, str]] = set()
        """The verbs that were used, each with its resource."""
        self.made: list[dict[str, Any]] = []
        """The manifests that were created."""
        self.most_running = 0
        self._containers: dict[str, _Container] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lost: list[asyncio.Task[None]] = []

    def names(self, kind: str) -> list[str]:
        """Return the names of what there is of a kind."""
        resource = kmock.resource(kind)
        return [
            name
            for (each, _, name), made in self.api.objects.items()
            if each == resource and not made.deleted
        ]

    def write_kubeconfig(self, url: str) -> Path:
        """Write the file that leads to the API."""
        path = self.folder / "kubeconfig"
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "pocket",
            "clusters": [{"name": "pocket", "cluster": {"server": url}}],
            "users": [{"name": "parley", "user": {"token": "of-the-service-account"}}],
            "contexts": [
                {"name": "pocket", "context": {"cluster": "pocket", "user": "parley", "namespace": NAMESPACE}}
            ],
        }
        path.write_text(yaml.safe_dump(document))
        return path

    async def handle(self, request: Any, usual: Callable[[Any], Any]) -> aiohttp.web.StreamResponse:
        """Answer a request, and let the controller act on it."""
        resource = "/".join(filter(None, (request.resource.plural, request.subresource)))
        verb = request.action.value.lower() if request.action else "get"
        self.used.add((verb, resource))
        if refusal := self.refuses.get((verb, resource)):
            raise kmock.KubernetesError(status=refusal[0], reason="Refused", message=refusal[1])
        if found := LOG.fullmatch(request.url.path):
            return await self._send_log(request, found[1])
        if verb == "create":
            self.made.append(request.data)
            request.data["metadata"]["uid"] = f"uid-of-{request.data['metadata']['name']}"
        answer = await usual(request)
        if resource == "jobs" and verb == "create":
            name = request.data["metadata"]["name"]
            self._tasks[name] = asyncio.create_task(self._run(name, request.data))
        elif resource == "jobs" and verb == "delete":
            await self._removed(request.name)
        return answer

    async def close(self) -> None:
        """End every container."""
        for name in list(self._tasks):
            await self._removed(name)
        await asyncio.gather(*self._lost, return_exceptions=True)

    def lose(self, job: str) -> None:
        """Let the Pod of a Job vanish, as if its node had died."""
        task = self._tasks.pop(job)
        task.cancel()
        self._lost.append(task)
        self.api.objects[PODS, NAMESPACE, f"{job}-pod"].delete()

    async def _removed(self, job: str) -> None:
        if task := self._tasks.pop(job, None):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for kind, name in ((PODS, f"{job}-pod"), (SECRETS, job)):
            if name in self.names(kind):
                self.api.objects[kind, NAMESPACE, name].delete()

    async def _run(self, job: str, manifest: dict[str, Any]) -> None:
        """Make the Pod of a Job and run its container, as controller, scheduler and kubelet do."""
        pod, template = f"{job}-pod", manifest["spec"]["template"]
        container = self._containers[pod] = _Container()
        metadata = {"name": pod, "namespace": NAMESPACE, "labels": template["metadata"]["labels"]}
        self.api.objects[PODS, NAMESPACE, pod] = {
            "metadata": metadata,
            "spec": template["spec"],
            "status": {"phase": "Pending"},
        }

        def say(phase: str, state: dict[str, Any] | None = None, **more: Any) -> None:
            image = template["spec"]["containers"][0]["image"]
            known = {"name": "call", "image": image, "imageID": "", "ready": True, "restartCount": 0}
            statuses = [{**known, "state": state}]
            status = {"phase": phase, **more, **({"containerStatuses": statuses} if state else {})}
            self.api.objects[PODS, NAMESPACE, pod].patch({"status": status})

        while self.pending is not None:
            condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
            say("Pending", conditions=[{**condition, "message": self.pending}])
            await asyncio.sleep(0.05)
        while self.waiting is not None:
            say("Pending", {"waiting": self.waiting})
            await asyncio.sleep(0.05)
        say("Pending", {"waiting": {"reason": "ContainerCreating"}})
        while job not in self.names(SECRETS):  # noqa: ASYNC110 - as a kubelet does
            await asyncio.sleep(0.01)
        call = base64.b64decode(self.api.objects[SECRETS, NAMESPACE, job].raw["data"]["call"])
        container.started = True
        running = sum(each.started and not each.ended for each in self._containers.values())
        self.most_running = max(self.most_running, running)
        say("Running", {"running": {}})
        if self.inside:
            code = await self.inside(call, lambda line: container.write(self.edit(f"{line}\n".encode())))
        else:
            code = await self._run_command(container, template["spec"]["containers"][0]["command"], call)
        container.ended = True
        container.tell()
        ended = {"exitCode": code, "reason": "Error" if code else "Completed"}
        say("Failed" if code else "Succeeded", {"running": None, "terminated": ended})

    async def _run_command(self, container: _Container, command: list[str], call: bytes) -> int:
        file = self.folder / random_id()
        file.write_bytes(call)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *command[:-1], str(file)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=1 << 20,
        )
        lines = cast("AsyncIterator[bytes]", process.stdout)
        try:
            async for line in lines:
                container.write(self.edit(line))
            return await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()

    async def _send_log(self, request: Any, pod: str) -> aiohttp.web.StreamResponse:
        container = self._containers.get(pod)
        if container is None or not container.started or pod not in self.names(PODS):
            raise kmock.KubernetesError(status=404, reason="NotFound", message=f"there is no log of {pod}")
        raw: aiohttp.web.BaseRequest = request._raw_request
        response = aiohttp.web.StreamResponse()
        await response.prepare(raw)
        since = request.params.get("sinceSeconds")
        earliest = time.monotonic() - float(since) if since else 0.0
        with contextlib.suppress(ConnectionError):
            async for piece in self._damaged(_followed(container, earliest)):
                if piece is None:
                    if raw.transport:
                        raw.transport.abort()
                    return response
                await response.write(piece)
            await response.write_eof()
        return response

    async def _damaged(self, lines: AsyncGenerator[bytes]) -> AsyncGenerator[bytes | None]:
        """Yield the bytes of lines, some of them damaged; None cuts the connection."""
        held: list[bytes] = []
        seen: list[bytes] = []
        async for line in lines:
            seen.append(line)
            match self.damage and self.damage.next():
                case "cut":
                    yield line[: len(line) // 2]
                    yield None
                    return
                case "closed":
                    return
                case "torn":
                    yield line[: len(line) // 2] + b"\n"
                case "doubled":
                    yield line + line
                case "swapped":
                    held.append(line)
                    continue
                case "late":
                    held.insert(0, line)
                    continue
                case "dropped":
                    continue
                case "noise":
                    yield b'{"n": 0, "sum": "00000000", "text": "no"}\nWARNING: a library says so\n' + line
                case "again":
                    yield b"".join(seen)
                case _:
                    yield line
            if (held and len(held) > 1) or (held and self.damage and self.damage.chance.random() < 0.5):
                yield held.pop()
        for line in held:
            yield line


async def _followed(container: _Container, earliest: float) -> AsyncGenerator[bytes]:
    at = 0
    while True:
        while at < len(container.lines):
            written_at, line = container.lines[at]
            at += 1
            if written_at >= earliest:
                yield line
        if container.ended:
            return
        await container.grown()


@asynccontextmanager
async def pocket_cluster(folder: Path) -> AsyncGenerator[tuple[PocketCluster, Path]]:
    """Run a cluster on loopback; yield it and the file that leads to its API."""
    cluster = PocketCluster(folder)
    async with cluster.api, kmock.Server(cluster.api) as server:
        try:
            yield cluster, cluster.write_kubeconfig(str(server.url).rstrip("/"))
        finally:
            await cluster.close()
