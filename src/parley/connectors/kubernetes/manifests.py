"""The Job and the Secret of one call, as Kubernetes takes them."""

from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from parley.connectors.kubernetes.setting import KubernetesSetting

Manifest: TypeAlias = dict[str, Any]

SCRATCH = "/tmp"  # noqa: S108 - of a container of its own
FOLDER = "/request"
"""The folder of the call's file in the container."""

INSTALLATION = "parley/installation"
SERVER = "parley/server"
CALL = "parley/call"
"""The labels of a Job and its Pod: which installation, which of its servers, which call."""

CONTAINER = "call"
USER = 10001
GONE_AFTER_S = 60
"""Seconds that Kubernetes keeps a Job which ended and which nobody removed."""


def name_of(call_id: str) -> str:
    """Return the name of a call's Job and Secret."""
    return f"parley-call-{call_id}"


def labels_of(setting: "KubernetesSetting", server: str, call_id: str) -> dict[str, str]:
    """Return the labels of a call's Job, Pod and Secret."""
    return {
        "app.kubernetes.io/managed-by": "parley",
        INSTALLATION: setting.name,
        SERVER: server,
        CALL: call_id,
    }


def job(setting: "KubernetesSetting", namespace: str, server: str, call_id: str) -> Manifest:
    """Return the Job of a call: it runs once, as nobody, with nothing of the cluster's and a file system to read."""
    labels = labels_of(setting, server, call_id)
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name_of(call_id), "namespace": namespace, "labels": labels},
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": setting.most_s,
            "ttlSecondsAfterFinished": GONE_AFTER_S,
            "template": {"metadata": {"labels": labels}, "spec": _pod(setting, call_id)},
        },
    }


def secret(
    setting: "KubernetesSetting", namespace: str, server: str, call_id: str, uid: str, call: bytes
) -> Manifest:
    """Return the Secret with a call's file; Kubernetes deletes it with its Job, which has this `uid`."""
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": name_of(call_id), "uid": uid}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": name_of(call_id),
            "namespace": namespace,
            "labels": labels_of(setting, server, call_id),
            "ownerReferences": [owner],
        },
        "immutable": True,
        "type": "Opaque",
        "data": {"call": b64encode(call).decode()},
    }


def _pod(setting: "KubernetesSetting", call_id: str) -> Manifest:
    pod: Manifest = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 5,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(setting)],
        "volumes": [
            {"name": "request", "secret": {"secretName": name_of(call_id), "defaultMode": 0o440}},
            {"name": "tmp", "emptyDir": {"sizeLimit": "256Mi"}},
        ],
    }
    if setting.service_account:
        pod["serviceAccountName"] = setting.service_account
    if setting.node_selector:
        pod["nodeSelector"] = dict(setting.node_selector)
    if setting.tolerations:
        pod["tolerations"] = [dict(each) for each in setting.tolerations]
    return pod


def _container(setting: "KubernetesSetting") -> Manifest:
    requests = {"cpu": setting.cpu, "memory": setting.memory}
    limits = {"cpu": setting.most_cpu, "memory": setting.memory, "ephemeral-storage": "1Gi"}
    return {
        "name": CONTAINER,
        "image": setting.image,
        "imagePullPolicy": setting.pull_policy,
        "command": ["parley", "call", f"{FOLDER}/call"],
        "env": [{"name": "HOME", "value": SCRATCH}, {"name": "PYTHONUNBUFFERED", "value": "1"}],
        "workingDir": SCRATCH,
        "resources": {"requests": requests, "limits": limits},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "request", "mountPath": FOLDER, "readOnly": True},
            {"name": "tmp", "mountPath": SCRATCH},
        ],
    }
