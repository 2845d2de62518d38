"""The server: runs the application until a signal stops it."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from parley.api.app import create_app, long_routes
from parley.api.connections import Connections, Limits
from parley.api.logs import log_config
from parley.api.protocol import LimitedProtocol, LimitedState
from parley.settings import Settings
from parley.storage.folder_lock import leave_address
from parley.wiring import Application, descriptors, open_application

KEEP_ALIVE_S = 75
"""Longer than the minute of most proxies, so that the server is not the first to close."""

CLOSING_S = 0.5
"""How long, after the streams have ended, unsaved data may wait for a database that does not answer."""

SWITCH_INTERVAL_S = 0.001
"""After how long a computing thread yields to the event loop; Python's default is five times that."""


def run(settings: Settings) -> None:
    """Serve until a signal stops it. Raises ParleyError if the application can't be opened."""
    with contextlib.suppress(ImportError):
        import uvloop

        uvloop.run(_serve(settings))
        return
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    descriptors.raise_limit()
    descriptors.warn_if_few(settings)
    async with open_application(settings) as app:
        config = _config(
            create_app(app),
            host=settings.host.strip("[]"),
            port=settings.port,
            log_config=log_config(every_line=settings.log_level == "debug"),
            log_level="warning" if settings.log_level == "info" else settings.log_level,
            access_log=settings.log_level == "debug",
            timeout_graceful_shutdown=max(1, round(settings.stop_grace)),
        )
        _tune_garbage_collector()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        with contextlib.ExitStack() as stack:
            publish = partial(stack.enter_context, leave_address(settings.data_dir, settings.url))
            await Server(config, app, on_started=publish).serve()


@contextlib.asynccontextmanager
async def serve_beside(app: Application, *, asgi: ASGIApp | None = None) -> AsyncGenerator[str]:
    """Serve the application on a free loopback port while the block runs; yield the address.

    `asgi` replaces the application's own ASGI app, to wrap it for instance.
    """
    # The protocol is named because asyncio otherwise leaves Nagle's algorithm on, which delays responses by 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = _config(asgi or create_app(app), log_config=log_config(), log_level="warning")
    running = Server(config, app, takes_signals=False)
    task = asyncio.create_task(running.serve([listener]), name="parley-server")
    while not running.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        running.should_exit = True
        await task


def _config(asgi: ASGIApp, **options: Any) -> uvicorn.Config:
    return uvicorn.Config(
        asgi,
        http=LimitedProtocol,
        lifespan="off",
        ws="none",
        server_header=False,
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


def _tune_garbage_collector() -> None:
    """Collect seldom, and only what was made after the start.

    Structs of the hot path have no reference cycles, so reference counting frees them at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


class Server(uvicorn.Server):
    """Ends open streams before it waits for connections; does not close the application."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Application,
        *,
        takes_signals: bool = True,
        on_started: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(config)
        self.server_state = LimitedState(Connections(_limits(app.settings)), long_routes())
        self._app = app
        self._takes_signals = takes_signals
        self._on_started = on_started

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

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Interrupt running turns and end every stream, then close connections."""
        if self._takes_signals:
            self._app.database.end_within(self._app.settings.stop_grace + CLOSING_S)
        await self._app.interrupt()
        await super().shutdown(sockets)  # pyright: ignore[reportArgumentType]
