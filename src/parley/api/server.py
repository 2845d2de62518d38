"""The server: runs the app of one house until it is told to stop."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from parley.api.app import create_app
from parley.api.connections import Connections, Limits
from parley.api.logs import log_config
from parley.api.protocol import LimitedProtocol, LimitedState
from parley.settings import Settings
from parley.storage.folder_lock import leave_address
from parley.wiring import House, descriptors, open_house

KEEP_ALIVE_S = 75
"""Longer than the minute for which a proxy keeps a connection: who closes first must not be the server."""

CLOSING_S = 0.5
"""How long, after the streams' time to end, what is still to be stored may wait for a database that does not answer."""

GIVES_WAY_S = 0.001
"""After how long a thread that computes gives way to the event loop, where Python lets it go on for five times that."""


def run(settings: Settings) -> None:
    """Serve until a signal comes; raises ParleyError where the house cannot be opened."""
    with contextlib.suppress(ImportError):
        import uvloop

        uvloop.run(_serve(settings))
        return
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    descriptors.raise_limit()
    descriptors.warn_if_few(settings)
    async with open_house(settings) as house:
        config = uvicorn.Config(
            create_app(house),
            http=LimitedProtocol,
            host=settings.host.strip("[]"),
            port=settings.port,
            log_config=log_config(every_line=settings.log_level == "debug"),
            log_level="warning" if settings.log_level == "info" else settings.log_level,
            lifespan="off",
            ws="none",
            access_log=settings.log_level == "debug",
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=max(1, round(settings.stop_grace)),
        )
        _calm_garbage_collector()
        sys.setswitchinterval(GIVES_WAY_S)
        with contextlib.ExitStack() as left:
            leave = partial(left.enter_context, leave_address(settings.data_dir, settings.url))
            await Server(config, house, on_started=leave).serve()


@contextlib.asynccontextmanager
async def serve_beside(house: House, *, app: ASGIApp | None = None) -> AsyncGenerator[str]:
    """Serve a house on a free port of this computer beside other work, and yield its address.

    `app`: what answers in place of the house's own application, around it for instance.
    """
    # With its protocol named: else asyncio leaves Nagle's algorithm on, and each further answer waits for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        app or create_app(house),
        http=LimitedProtocol,
        lifespan="off",
        ws="none",
        log_config=log_config(),
        log_level="warning",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    running = Server(config, house, takes_signals=False)
    task = asyncio.create_task(running.serve([listener]), name="parley-server")
    while not running.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        running.should_exit = True
        await task


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


def _calm_garbage_collector() -> None:
    """Let the collector look at what requests make, and seldom: what was loaded at the start stays.

    Structs of the hot path refer to nothing in a circle; counting references frees them at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


class Server(uvicorn.Server):
    """Ends open streams before it waits for connections, and leaves closing the house to its owner."""

    def __init__(
        self,
        config: uvicorn.Config,
        house: House,
        *,
        takes_signals: bool = True,
        on_started: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(config)
        self.server_state = LimitedState(Connections(_limits(house.settings)))
        self._house = house
        self._takes_signals = takes_signals
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and only then say so: an address that is left must answer."""
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take signals without raising them again, so that what is queued can still be stored."""
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
        """Interrupt what is being played, end every stream, then close connections."""
        if self._takes_signals:
            self._house.database.end_within(self._house.settings.stop_grace + CLOSING_S)
        await self._house.quiesce()
        await super().shutdown(sockets)  # pyright: ignore[reportArgumentType]
