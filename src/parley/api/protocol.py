"""uvicorn's HTTP protocol, with limits on headers, slow clients and connections."""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from parley.api.connections import Connections
from parley.api.errors import MEDIA_TYPE, ProblemDetails, problem
from parley.api.guard import SECURITY_HEADERS

LEAST_BODY_BYTES = 64 << 10
"""The bytes of a body that must arrive within body_timeout; a shorter body must be complete."""

LINGER_S = 0.5
LINGER_BYTES = 1 << 20
"""The time and bytes that a refused client may still send: closing at once would often lose the response."""

RETRY_S = 5


class LimitedState(ServerState):
    """State shared by the connections of a server."""

    def __init__(self, held: Connections, takes_minutes: Callable[[str, str], bool]) -> None:
        """`takes_minutes` returns whether the response to a method and a path may occupy its connection so long."""
        super().__init__()
        self.held = held
        self.takes_minutes = takes_minutes


class LimitedProtocol(HttpToolsProtocol):
    """One connection. A request that arrives in one packet, as most do, sets no timer."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        state = cast("LimitedState", server_state)
        self._connections, self._takes_minutes = state.held, state.takes_minutes
        self._limits = self._connections.limits
        self._timer: asyncio.TimerHandle | None = None
        self._refused = False
        self._in_head = True
        self._whole = True
        self._bare_bytes = 0
        self._moved_bytes = 0

    # ── the connection ───────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Accept a connection, or refuse it if there are too many."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )
        if self._connections.arrived(self):
            return
        if self._connections.overflowing:
            transport.abort()
        else:
            self._refuse(_FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        self._stop_timer()
        self._unset_keepalive_if_required()
        self._connections.left(self)
        super().connection_lost(exc)

    def give_way(self) -> None:
        """Close an idle connection to free its slot."""
        self._stop_timer()
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse a packet, and set a timer for what is still missing."""
        self._bare_bytes += len(data)
        if self._refused:
            if self._bare_bytes > LINGER_BYTES:
                self.transport.abort()
            return
        self._moved_bytes += len(data)
        super().data_received(data)
        if self._refused or self.transport.is_closing():
            return
        if self._whole and self._is_answering():
            self._stop_timer()
        elif not self._whole and self._bare_bytes > self._limits.head_bytes:
            self._refuse(_LARGE_HEAD)
        elif self._timer is None:
            self._start_timer()

    # ── the request ──────────────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """Begin a request. Its first packet is not counted, since it may belong to the request before."""
        self._in_head, self._whole, self._bare_bytes = True, False, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; trailers after the body are dropped."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the request, or refuse it if its headers are too large or it is meant for a proxy."""
        if self._refused:
            return
        if not self.url.startswith(b"/"):
            self._refuse(_NO_PATH)
        elif len(self.headers) > self._limits.headers or self._head_bytes() > self._limits.head_bytes:
            self._refuse(_LARGE_HEAD)
        else:
            self._stop_timer()
            self._connections.began(self)
            super().on_headers_complete()
            self._in_head, self._bare_bytes, self._moved_bytes = False, 0, 0

    def on_body(self, body: bytes) -> None:
        """Add a part of the body."""
        if not self._refused:
            self._bare_bytes = 0
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        if not self._refused:
            self._whole, self._bare_bytes = True, 0
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless one is queued."""
        if not self.pipeline:
            self._connections.ended(self)
        super().on_response_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        method, path = cycle.scope["method"], cycle.scope["path"]
        crowded = self._connections.crowded and self._takes_minutes(method, path)
        super()._start_asgi_task(cycle, cast("Any", _refuse_long) if crowded else app)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - we send a problem instead
        """Refuse what is not HTTP."""
        self._refuse(_NO_HTTP)

    # ── internals ────────────────────────────────────────────────────────────────────────────────

    def _head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers)

    def _last_cycle(self) -> RequestResponseCycle | None:
        """Return the current or last exchange; None before the first, which uvicorn's types leave out."""
        return cast("RequestResponseCycle | None", self.cycle)

    def _is_answering(self) -> bool:
        cycle = self._last_cycle()
        return cycle is not None and not cycle.response_complete

    def _start_timer(self) -> None:
        after_s = self._limits.head_s if self._in_head or self._whole else self._limits.body_s
        self._timer = self.loop.call_later(after_s, self._on_slow)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_slow(self) -> None:
        """Refuse a request that is late; a response may take its time."""
        self._timer = None
        if self._refused or self.transport.is_closing():
            return
        if self._in_head or self._whole:
            tolerated = self._is_answering()
        else:
            # While reading is paused, or before 100 Continue, the client is not the one who is late.
            ours = self.flow.read_paused or self.cycle.waiting_for_100_continue
            tolerated = ours or self._moved_bytes >= LEAST_BODY_BYTES
        self._moved_bytes = 0
        if tolerated:
            self._start_timer()
        else:
            self._refuse(_SLOW)

    def _refuse(self, answer: bytes) -> None:
        """Send a ready-made response and close; if a response has begun, only close."""
        self._stop_timer()
        self._refused = True
        cycle = self._last_cycle()
        begun = cycle is not None and (
            cycle.response_started if not self._in_head else not cycle.response_complete
        )
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if begun:
            self.transport.abort()
            return
        self.transport.write(answer)
        self.flow.resume_reading()
        self.loop.call_later(LINGER_S, self.transport.close)


async def _refuse_long(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {**SECURITY_HEADERS, "Retry-After": str(RETRY_S), "Connection": "close"}
    await Response(msgspec.json.encode(_TOO_MANY), _TOO_MANY.status, headers, MEDIA_TYPE)(
        scope, receive, send
    )


def _raw(problem: ProblemDetails, *, retry: bool = False) -> bytes:
    """Return a problem as the bytes of an HTTP response."""
    body = msgspec.json.encode(problem)
    headers = {
        **SECURITY_HEADERS,
        "Content-Type": MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    if retry:
        headers["Retry-After"] = str(RETRY_S)
    lines = "".join(f"{name.lower()}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\n{lines}\r\n".encode() + body


_TOO_MANY = problem(
    "Parley has no free connections.",
    "Nothing was saved. Close tabs that you don't need, or try again in a few seconds.",
    code="too_many_connections",
)
_FULL = _raw(_TOO_MANY, retry=True)
_LARGE_HEAD = _raw(
    problem(
        "The headers of this request are too large.",
        "Nothing was saved. Delete this site's cookies, or send fewer headers.",
        code="headers_too_large",
    )
)
_SLOW = _raw(
    problem(
        "The request took too long to arrive.",
        "Nothing was saved. Send it again.",
        code="request_timeout",
    )
)
_NO_PATH = _raw(
    problem("Parley is not a proxy.", "Request a path, such as /api/sessions.", code="bad_request")
)
_NO_HTTP = _raw(
    problem(
        "This is not a valid HTTP request.",
        "Nothing was saved. Send HTTP/1.1 to this port.",
        code="bad_request",
    )
)
