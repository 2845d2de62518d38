"""A running Parley in another thread, for tests that have no event loop: commands find it by its data folder."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

from parley.api.server import serve_beside
from parley.application import open_application
from parley.settings import Settings
from parley.storage.folder_lock import leave_address

WITHIN_S = 60


@contextmanager
def serving(settings: Settings) -> Generator[str]:
    """Serve while the block runs, with the address left in the data folder; yield it."""
    address = ""
    ready = threading.Event()
    loop: asyncio.AbstractEventLoop | None = None
    over = asyncio.Event()

    async def serve() -> None:
        nonlocal address, loop
        loop = asyncio.get_running_loop()
        async with open_application(settings) as app, serve_beside(app) as address:
            with leave_address(settings.data_dir, address):
                ready.set()
                await over.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="parley-beside")
    thread.start()
    try:
        assert ready.wait(WITHIN_S), "the server did not start"
        assert address, "the server could not start"
        yield address
    finally:
        if loop is not None:
            loop.call_soon_threadsafe(over.set)
        thread.join(WITHIN_S)
