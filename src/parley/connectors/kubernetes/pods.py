"""The Pod of a call, read from what Kubernetes says of it, in plain words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from parley.kernel.connector import Phase
from parley.kernel.errors import BrokenOff, Overloaded, Rejected, UpstreamError

if TYPE_CHECKING:
    from lightkube.models.core_v1 import ContainerStatus
    from lightkube.resources.core_v1 import Pod

NO_IMAGE = ("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError")
NO_CONTAINER = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError", "CrashLoopBackOff")


class PodState(msgspec.Struct, frozen=True, kw_only=True):
    """A call's Pod. `why` says what it waits for. `stuck` is why it will not start by itself.

    `ended` is why its container is gone, in words; empty for one that ended well.
    """

    name: str = ""
    phase: Phase = "queued"
    why: str | None = None
    stuck: UpstreamError | None = None
    ended: str | None = None


NOT_THERE = PodState(why="The cluster has made no Pod for it yet.")


def read_pod(pod: "Pod") -> PodState:
    """Return the state of a Pod."""
    name = (pod.metadata and pod.metadata.name) or ""
    status = pod.status
    if status is None:
        return PodState(name=name)
    container = next(iter(status.containerStatuses or ()), None)
    ended = _ended(container)
    if status.phase in ("Succeeded", "Failed") or ended is not None:
        return PodState(name=name, phase="running", ended=ended or _reason(status.reason, status.message))
    if status.phase == "Running":
        return PodState(name=name, phase="running")
    waiting = container.state.waiting if container is not None and container.state is not None else None
    if waiting is not None:
        stuck = _stuck(waiting.reason or "", waiting.message or "", container.image if container else "")
        return PodState(name=name, phase="starting", stuck=stuck)
    for condition in status.conditions or ():
        if condition.type == "PodScheduled" and condition.status == "False":
            return PodState(name=name, why=no_node(condition.message))
    scheduled = pod.spec is not None and pod.spec.nodeName is not None
    return PodState(name=name, phase="starting" if scheduled else "queued")


def no_node(message: str | None) -> str:
    """Return in words that no node takes a Pod; `message` is the scheduler's."""
    return f"No node of the cluster has room for it: {(message or '').rstrip('.') or 'the scheduler does not say why'}"


def too_late(state: PodState, waited_s: float) -> UpstreamError:
    """Return the error of a Pod that did not start in time."""
    why = state.why or "Its container was still being started."
    return Overloaded(
        f"The call's Job did not start within {waited_s:.0f} s. {why.rstrip('.')}.",
        "Ask again later, add nodes, or let the Jobs ask for less (`kubernetes.cpu`, `kubernetes.memory`).",
        code="job_not_started",
    )


def lost(state: PodState | None, *, begun: bool) -> UpstreamError:
    """Return the error of an answer whose end is in no log."""
    if state is None:
        why = "its Pod was removed from the cluster"
    elif state.ended:
        why = state.ended
    else:
        why = "its log ended before the answer did"
    detail = "The part so far is saved. Ask again." if begun else "Ask again, or choose another model."
    return BrokenOff(f"The call's Job did not finish: {why}.", detail, code="job_lost")


def _ended(container: "ContainerStatus | None") -> str | None:
    """Return why a container ended; None if it has not."""
    if container is None or container.state is None or container.state.terminated is None:
        return None
    ended = container.state.terminated
    if ended.reason == "OOMKilled":
        return "it needed more memory than `kubernetes.memory` allows"
    if ended.exitCode == 0:
        return ""
    return f"its container ended with code {ended.exitCode} ({ended.reason or 'Error'})"


def _reason(reason: str | None, message: str | None) -> str:
    if reason == "DeadlineExceeded":
        return "it took longer than `kubernetes.most_s` allows"
    if reason == "Evicted":
        return f"its node had to remove it: {(message or 'it ran short of something').rstrip('.')}"
    return " ".join(_given((reason, message))).rstrip(".")


def _given(texts: Iterable[str | None]) -> Iterable[str]:
    return (text for text in texts if text)


def _stuck(reason: str, message: str, image: str) -> UpstreamError | None:
    if reason in NO_IMAGE:
        why = f" ({message})" if message else ""
        return Rejected(
            f"The cluster can't pull the image {image} for the call's Job: {reason}{why}.",
            "Check `kubernetes.image`, and that the nodes may pull it (`imagePullSecrets`).",
            code="job_image",
        )
    if reason in NO_CONTAINER:
        return Rejected(
            f"The cluster can't start the container of the call's Job: {reason}. {message}".strip(),
            "Check `kubernetes` in the settings.",
            code="job_container",
        )
    return None
