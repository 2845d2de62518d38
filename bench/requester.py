"""Plain requests over kept-alive connections, one after another on each, every one timed.

Reads `Errands` as JSON on its input and writes `Done` as JSON; a process of its own.

    python -m bench.requester < errands.json
"""

import asyncio
import re
import sys
import time

import msgspec
import uvloop

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


class Errand(msgspec.Struct):
    """One request; an empty body makes it a GET."""

    path: str
    body: str = ""


class Errands(msgspec.Struct):
    """Requests, and over how many connections they are spread."""

    port: int
    connections: int
    errands: list[Errand]
    deadline_s: float = 30.0


class Done(msgspec.Struct):
    """How long each answer took, in seconds, and what was not answered with 200."""

    times: list[float] = []
    lasted_s: float = 0.0
    faults: list[str] = []


async def run(plan: Errands) -> Done:
    """Send everything; a request that is not sent by the deadline is a fault."""
    done = Done()
    waiting = list(reversed(plan.errands))
    begun = time.monotonic()
    try:
        async with asyncio.timeout(plan.deadline_s), asyncio.TaskGroup() as group:
            for _ in range(plan.connections):
                group.create_task(work(plan.port, waiting, done))
    except TimeoutError:
        done.faults.append(f"{len(waiting)} requests were not sent in time")
    done.lasted_s = time.monotonic() - begun
    return done


async def work(port: int, waiting: list[Errand], done: Done) -> None:
    """Send the queued requests over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while waiting:
        errand = waiting.pop()
        body = errand.body.encode()
        head = f"{'POST' if body else 'GET'} {errand.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        begun = time.monotonic()
        writer.write(head.encode() + b"\r\n" + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = LENGTH.search(answer)
        content = await reader.readexactly(int(length[1]) if length else 0)
        done.times.append(time.monotonic() - begun)
        if not answer.startswith(b"HTTP/1.1 200"):
            done.faults.append(f"{answer[9:12].decode()} {content[:80].decode('utf-8', 'replace')}")
    writer.close()


if __name__ == "__main__":
    errands = msgspec.json.decode(sys.stdin.buffer.read(), type=Errands)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(run(errands))))
