"""Renders the chart with nine sets of values, checks every manifest, and sees bad values refused.

With Jobs, those that Parley makes from the chart's values are checked too.

Runs in an environment of its own, since Helm's library takes 240 MB: make chart
"""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import kubernetes_validate
import yaml
from helm_python import Chart, HelmError, lint

MADE = Path(__file__).resolve().parents[1] / "src/parley/connectors/kubernetes"
CHART = Path(__file__).parent / "helm" / "parley"
KUBERNETES = "1.34"

GOOD: dict[str, dict[str, Any]] = {
    "defaults": {},
    "company": {
        "publicUrl": "https://parley.example.org",
        "existingSecret": "parley",
        "trustedProxies": ["10.0.0.0/8"],
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "parley-tls"},
        "settings": {"PARLEY_GUESTS": "on"},
    },
    "several": {"replicas": 3, "existingSecret": "parley"},
    "litellm": {"litellm": {"url": "http://litellm:4000/v1", "models": ["openai/gpt-5-mini", "claude"]}},
    "model list": {"models": "models:\n  - {id: tiny, connector: openai, base_url: http://tiny:8000/v1}\n"},
    "own volume": {"persistence": {"existingClaim": "parley-data"}},
    "no volume": {"persistence": {"enabled": False}, "service": {"type": "LoadBalancer", "port": 8080}},
    "policy": {"networkPolicy": {"enabled": True, "fromNamespaces": ["ingress-nginx"]}},
    "placed": {
        "nodeSelector": {"kubernetes.io/arch": "amd64"},
        "tolerations": [{"key": "models", "operator": "Exists", "effect": "NoSchedule"}],
        "imagePullSecrets": [{"name": "registry"}],
        "podAnnotations": {"example.org/team": "research"},
        "serviceAccount": {"annotations": {"example.org/role": "parley"}},
        "image": {"repository": "registry.example.org/parley", "tag": "1.2.3"},
    },
    "jobs": {
        "imagePullSecrets": [{"name": "registry"}],
        "jobs": {
            "enabled": True,
            "memory": "1Gi",
            "nodeSelector": {"pool": "calls"},
            "tolerations": [{"key": "calls", "operator": "Exists", "effect": "NoSchedule"}],
        },
    },
}

BAD: dict[str, dict[str, Any]] = {
    "several without a secret": {"replicas": 2},
    "a port in words": {"service": {"port": "eighty"}},
    "a value that is misspelt": {"persistance": {"enabled": False}},
    "a setting that is no text": {"settings": {"PARLEY_PORT": 8400}},
    "a setting of something else": {"settings": {"PATH": "/bin"}},
    "an address with a path": {"publicUrl": "https://example.org/parley"},
    "a size without a unit": {"persistence": {"size": "10"}},
    "memory without a unit": {"jobs": {"memory": "lots"}},
    "two sources of models": {"models": "models: []", "litellm": {"url": "http://litellm:4000"}},
}


def manifests(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the chart's manifests with these values. Raises HelmError."""
    chart = Chart.load(CHART)
    chart.validate_schema(values)
    rendered = chart.render(values, name="parley", namespace="models")
    texts = [text for path, text in sorted(rendered.items()) if path.endswith(".yaml")]
    return [each for text in texts for each in yaml.safe_load_all(text) if each]


def check_pod(manifest: dict[str, Any], *, token: bool) -> None:
    """Check what the schemas do not: the pod is not root, and writes only to its volumes; only some have a token."""
    spec = manifest["spec"]["template"]["spec"]
    container = spec["containers"][0]
    assert spec["securityContext"]["runAsNonRoot"] and spec["automountServiceAccountToken"] is token
    assert container["securityContext"]["readOnlyRootFilesystem"]
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    assert mounts == {volume["name"] for volume in spec["volumes"]}


def check_jobs(deployment: dict[str, Any]) -> None:
    """Check the Job and the Secret that Parley makes with the chart's setting."""
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    variables = {each["name"]: each.get("value") for each in container["env"]}
    setting = yaml.safe_load(variables["PARLEY_KUBERNETES"])  # noqa: TID251 - it runs without Parley
    fields = set(re.findall(r"^    (\w+): ", (MADE / "setting.py").read_text(), re.MULTILINE))
    assert setting.keys() <= fields, setting.keys() - fields
    made = manifests_of_calls()
    job = made.job(SimpleNamespace(**setting), "models", "parley-0", "a" * 32)
    secret = made.secret(SimpleNamespace(**setting), "models", "parley-0", "a" * 32, "uid", b"{}")
    for manifest in (job, secret):
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    check_pod(job, token=False)
    assert job["spec"]["backoffLimit"] == 0 and secret["metadata"]["ownerReferences"][0]["uid"] == "uid"
    job["spec"]["backofLimit"] = job["spec"].pop("backoffLimit")
    try:
        kubernetes_validate.validate(job, KUBERNETES, strict=True)
    except kubernetes_validate.ValidationError:
        return
    sys.exit("a field that Kubernetes does not know was not refused")


def manifests_of_calls() -> ModuleType:
    """Load the module that makes them: it needs no other."""
    spec = spec_from_file_location("manifests", MADE / "manifests.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Print a line for each set of values; exit with 1 at the first that is wrong."""
    found = lint(CHART)
    if found["errors"] or any(message["severity"] > 1 for message in found["messages"]):
        sys.exit(f"helm lint: {found}")
    for name, values in GOOD.items():
        made = manifests(values)
        for manifest in made:
            kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
        [deployment] = [each for each in made if each["kind"] == "Deployment"]
        jobs = values.get("jobs", {}).get("enabled", False)
        check_pod(deployment, token=jobs)
        if jobs:
            check_jobs(deployment)
        print(f"  {name}: {', '.join(each['kind'] for each in made)}")
    for name, values in BAD.items():
        try:
            manifests(values)
        except HelmError as error:
            print(f"  {name}: refused, {str(error).splitlines()[-1].strip()[:100]}")
        else:
            sys.exit(f"{name}: was not refused")


if __name__ == "__main__":
    main()
