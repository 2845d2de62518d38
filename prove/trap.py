"""A trap for what a browser sends elsewhere: a proxy that blocks every request and records it."""

import re
import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager

MAKERS = re.compile(r"[./ ](google|googleapis|gvt1|gstatic)\.com\b")
"""Hosts that Chromium contacts by itself, whatever page it shows."""


class Trap(socketserver.ThreadingTCPServer):
    """What the browser itself holds back, by a page's own policy, never comes here."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        """The proxy's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def caught(self) -> list[str]:
        """Return the requests since the last call."""
        asked, self.asked = self.asked, []
        return asked


class _Request(socketserver.StreamRequestHandler):
    server: Trap  # pyright: ignore[reportIncompatibleVariableOverride]

    def handle(self) -> None:
        line = self.rfile.readline(10_000).decode("latin-1").strip()
        if line and not MAKERS.search(line):
            self.server.asked.append(line)
        self.wfile.write(b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")


@contextmanager
def trapping() -> Generator[Trap]:
    """Run a trap meanwhile."""
    with Trap() as trap:
        threading.Thread(target=trap.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield trap
        finally:
            trap.shutdown()
