"""How long the server's event loop makes others wait: requests /healthz repeatedly, and times it.

Measured from outside, so it includes the wait for a processor: an upper bound of the loop's lag.
Writes the times as JSON, in seconds, when its input closes.

    python -m bench.prober PORT
"""

import re
import select
import socket
import sys
import time

import msgspec

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
EVERY_S = 0.02
LIMIT_S = 10.0


def probe(port: int) -> list[float]:
    """Ask until the input closes; return how long each answer took."""
    asked = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    times: list[float] = []
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not select.select([sys.stdin], [], [], EVERY_S)[0]:
            begun = time.monotonic()
            connection.sendall(asked)
            answer = whole_answer(connection)
            times.append(time.monotonic() - begun)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"/healthz answers {answer[:40]!r}")
    return times


def whole_answer(connection: socket.socket) -> bytes:
    """Read one response with its body, which may come in a packet of its own."""
    answer = b""
    while True:
        packet = connection.recv(65536)
        answer += packet
        head, found, body = answer.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not packet or (found and len(body) >= (int(length[1]) if length else 0)):
            return answer


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(probe(int(sys.argv[1]))))
