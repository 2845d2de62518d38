"""Renders the chart with nine sets of values, checks every manifest, and sees bad values refused.

Runs in an environment of its own, since Helm's library takes 240 MB: make chart
"""

import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml
from helm_python import Chart, HelmError, lint

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
}

BAD: dict[str, dict[str, Any]] = {
    "several without a secret": {"replicas": 2},
    "a port in words": {"service": {"port": "eighty"}},
    "a value that is misspelt": {"persistance": {"enabled": False}},
    "a setting that is no text": {"settings": {"PARLEY_PORT": 8400}},
    "a setting of something else": {"settings": {"PATH": "/bin"}},
    "an address with a path": {"publicUrl": "https://example.org/parley"},
    "a size without a unit": {"persistence": {"size": "10"}},
    "two sources of models": {"models": "models: []", "litellm": {"url": "http://litellm:4000"}},
}


def manifests(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the chart's manifests with these values. Raises HelmError."""
    chart = Chart.load(CHART)
    chart.validate_schema(values)
    rendered = chart.render(values, name="parley", namespace="models")
    texts = [text for path, text in sorted(rendered.items()) if path.endswith(".yaml")]
    return [each for text in texts for each in yaml.safe_load_all(text) if each]


def check_pod(manifest: dict[str, Any]) -> None:
    """Check what the schemas do not: the pod is not root, has no token, and writes only to its volumes."""
    spec = manifest["spec"]["template"]["spec"]
    container = spec["containers"][0]
    assert spec["securityContext"]["runAsNonRoot"] and spec["automountServiceAccountToken"] is False
    assert container["securityContext"]["readOnlyRootFilesystem"]
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    assert mounts == {volume["name"] for volume in spec["volumes"]}


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
        check_pod(deployment)
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
