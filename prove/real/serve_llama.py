"""Serves a model with llama.cpp's own server, in the environment that has it: MODEL PORT SLOTS CONTEXT [KEY]."""

import signal
import sys
from pathlib import Path

import xllamacpp  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Serve until a signal comes. CONTEXT is in tokens, of each slot."""
    model, port, slots, context, *key = sys.argv[1:]
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = int(port)
    params.n_parallel = int(slots)
    params.n_ctx = int(context) * int(slots)
    params.n_predict = 96
    params.api_keys = key
    params.model_alias = {Path(model).stem}
    # One each: on a busy machine two threads of one model wait for each other.
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.pause()


main()
