"""The real servers and the Parley in front of them: started on loopback, always ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2  # noqa: TID251 - speaks to loopback only

from bench.processes import free_port
from prove.real.environments import litellm_command, llama_python, model_file

HERE = Path(__file__).parent
START_S = 300.0
ANSWER_S = 240.0


class Server:
    """A process that listens on loopback and is ready when a path answers with 200."""

    def __init__(
        self, name: str, folder: Path, ready: str, variables: Mapping[str, str] | None = None
    ) -> None:
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self._log = folder / f"{name}.log"
        self._name, self._ready = name, ready
        self._variables = variables or {}
        self._child: subprocess.Popen[bytes] | None = None

    def start(self, *command: object) -> None:
        """Start it and wait until it is ready. Raises RuntimeError with its log."""
        with self._log.open("ab") as output:
            self._child = subprocess.Popen(
                [str(part) for part in command],
                cwd=self._log.parent,
                env={**os.environ, **self._variables},  # noqa: TID251 - the child's, no setting
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        ends = time.monotonic() + START_S
        while not self._is_ready():
            if self._child.poll() is not None or time.monotonic() > ends:
                self.stop()
                raise RuntimeError(f"{self._name} did not start:\n{self.log()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End it."""
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Kill it, as a lack of memory does."""
        if self._child is not None:
            self._child.send_signal(signal.SIGKILL)
            self._child.wait()

    @property
    def pid(self) -> int:
        """The process. Raises AssertionError before the start."""
        assert self._child is not None
        return self._child.pid

    def log(self) -> str:
        """Return what it printed."""
        return self._log.read_text(errors="replace")

    def _is_ready(self) -> bool:
        try:
            return httpx2.get(self.origin + self._ready, timeout=2, trust_env=False).status_code == 200
        except httpx2.TransportError:
            return False


class Llama(Server):
    """llama.cpp's server; `context` is in tokens, of each slot."""

    def __init__(self, folder: Path, *, slots: int, context: int, key: str | None = None) -> None:
        super().__init__(f"llama-{slots}", folder, "/health")
        self._arguments = (model_file(), self.port, slots, context, *([key] if key else []))

    def serve(self) -> None:
        """Start it with its model."""
        self.start(llama_python(), HERE / "serve_llama.py", *self._arguments)


class LiteLLM(Server):
    """LiteLLM's proxy with one model, at a price, behind a master key."""

    KEY = "sk-real-proxy"

    def __init__(self, folder: Path, upstream: str) -> None:
        # It neither asks for the newest prices nor reports its use.
        offline = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
        super().__init__("litellm", folder, "/health/liveliness", offline)
        self._config = folder / "litellm.yaml"
        self._config.write_text(
            "model_list:\n"
            "  - model_name: proxied\n"
            f"    litellm_params: {{model: openai/smol, api_base: {upstream}/v1, api_key: none,\n"
            "      input_cost_per_token: 0.000001, output_cost_per_token: 0.000002}\n"
            "    model_info: {max_input_tokens: 2048}\n"
            f"general_settings: {{master_key: {self.KEY}}}\n"
        )

    def serve(self) -> None:
        """Start it."""
        self.start(litellm_command(), "--config", self._config, "--host", "127.0.0.1", "--port", self.port)


class Parley(Server):
    """Parley from an empty folder, and a client of its API."""

    def __init__(self, folder: Path, places: list[str], variables: Mapping[str, str] | None = None) -> None:
        fixed = {"PARLEY_DISCOVER_AT": ",".join(places) or "none", "PARLEY_PROXY": "off"}
        super().__init__("parley", folder, "/healthz", {**fixed, **(variables or {})})
        self._data = folder / "data"
        self._client = httpx2.Client(base_url=self.origin, timeout=ANSWER_S, trust_env=False)

    def serve(self) -> None:
        """Start it."""
        flags = ("--no-open", "--port", self.port, "--data-dir", self._data)
        self.start(sys.executable, "-m", "parley", "serve", *flags)

    def get(self, path: str) -> Any:
        """GET and return the JSON."""
        return self._answer("GET", path, None)

    def post(self, path: str, body: object = None) -> Any:
        """POST and return the JSON. Raises AssertionError for a problem."""
        return self._answer("POST", path, body)

    def _answer(self, method: str, path: str, body: object) -> Any:
        response = self._client.request(method, path, json=body if body is not None else {})
        assert response.is_success, response.text
        return response.json()
