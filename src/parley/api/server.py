"""The server: runs the application until a signal stops it."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from parley.api import descriptors
from parley.api.app import Served, create_app, long_responses
from parley.api.connections import Connections, Limits
from parley.api.logs import log_config
from parley.api.protocol import LimitedProtocol, LimitedState
from parley.settings import Settings
from parley.storage.database import Database

KEEP_ALIVE_S = 75
"""Longer than the minute of most proxies, so that the server is not the first to close."""

CLOSING_S = 0.5
"""Seconds that unsaved data may wait, after the streams have ended, for a database that does not answer."""


@contextlib.asynccontextmanager
async def serve_beside(app: Served, *, asgi: ASGIApp | None = None) -> AsyncGenerator[str]:
    """Serve the application on a free loopback port while the block runs; yield the address.

    `asgi` replaces the application's own ASGI app, to wrap it for instance.
    """
    # The protocol is named because asyncio otherwise leaves Nagle's algorithm on, which delays responses by 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = make_config(asgi or create_app(app), log_config=log_config(), log_level="warning")
    running = Server(config, app, takes_signals=False)
    task = asyncio.create_task(running.serve([listener]), name="parley-server")
    while not running.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        running.end()
        await task


def make_config(asgi: ASGIApp, **options: Any) -> uvicorn.Config:
    """Return uvicorn's settings for an ASGI app."""
    return uvicorn.Config(
        asgi,
        http=LimitedProtocol,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,  # whose X-Forwarded-For counts is a setting of Parley
        timeout_keep_alive=KEEP_ALIVE_S,
        **options,
    )


def _limits(settings: Settings) -> Limits:
    allowed = descriptors.shares(settings).clients
    return Limits(
        connections=allowed,
        per_address=min(allowed, settings.max_connections_per_address),
        head_bytes=settings.max_header_bytes,
        headers=settings.max_headers,
        head_s=settings.head_timeout,
        body_s=settings.body_timeout,
    )


class Server(uvicorn.Server):
    """Ends open streams before it waits for connections; does not close the application."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Served,
        *,
        takes_signals: bool = True,
        on_started: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(config)
        self.server_state = LimitedState(Connections(_limits(app[Settings])), long_responses(app.routes))
        self._app = app
        self._takes_signals = takes_signals
        self._on_started = on_started
        self._woken = asyncio.Event()

    def end(self) -> None:
        """Stop serving, as a signal does."""
        self.should_exit = True
        self._woken.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop serving; at once if asked a second time."""
        super().handle_exit(sig, frame)
        self._woken.set()

    async def main_loop(self) -> None:
        """Keep the date that responses carry, until told to stop: uvicorn would look ten times a second."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), 1)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then publish the address, so that a published address always answers."""
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals without raising them again, so that queued data can still be saved."""
        loop = asyncio.get_running_loop()
        caught = (signal.SIGINT, signal.SIGTERM) if self._takes_signals else ()
        with contextlib.suppress(NotImplementedError):
            for number in caught:
                loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            with contextlib.suppress(NotImplementedError):
                for number in caught:
                    loop.remove_signal_handler(number)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Interrupt running turns and end every stream, then close connections; uvicorn would wait 0.1 s more."""
        if self._takes_signals:
            self._app[Database].end_within(self._app[Settings].stop_grace + CLOSING_S)
        await self._app.interrupt()
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.sleep(0)  # the idle ones are gone then
        try:
            await asyncio.wait_for(self._wait_tasks_to_complete(), self.config.timeout_graceful_shutdown)
        except TimeoutError:
            for task in self.server_state.tasks:
                task.cancel()
