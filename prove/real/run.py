"""Runs the check and prints its table: `make real`."""

import contextlib
import sys
import tempfile
import time
from pathlib import Path

from prove.real.rows import KEY, ROWS, Row, Stage
from prove.real.servers import LiteLLM, Llama, Parley


def main() -> int:
    """Run the rows named, or all; return 1 if one fails. Adding always runs: the others need its models."""
    wanted = {*sys.argv[1:], "adding"} if sys.argv[1:] else {row.name for row in ROWS}
    with tempfile.TemporaryDirectory(prefix="parley-real-") as folder, contextlib.ExitStack() as open_things:
        stage = _stage(Path(folder), open_things)
        failed = [row.name for row in ROWS if row.name in wanted and not _run(row, stage)]
    print(
        f"\n{len(failed)} of {len(wanted)} rows failed: {', '.join(failed)}"
        if failed
        else "\nEvery row holds."
    )
    return 1 if failed else 0


def _stage(folder: Path, open_things: contextlib.ExitStack) -> Stage:
    many = Llama(folder, slots=4, context=2048)
    one = Llama(folder, slots=1, context=512, key=KEY)
    proxy = LiteLLM(folder, many.origin)
    parley = Parley(folder, [many.origin, one.origin, proxy.origin])
    for server in (many, one, proxy, parley):
        open_things.callback(server.stop)
        server.serve()
    return Stage(parley, many, one, proxy)


def _run(row: Row, stage: Stage) -> bool:
    began = time.monotonic()
    try:
        seen, holds = row.check(stage), True
    except Exception as error:
        seen, holds = f"{type(error).__name__}: {error}"[:1200], False
    mark = "ok  " if holds else "FAIL"
    print(f"{mark} {row.name:<17} {row.expected:<40} {time.monotonic() - began:5.1f} s  {seen}", flush=True)
    return holds


if __name__ == "__main__":
    sys.exit(main())
