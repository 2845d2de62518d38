"""Serves Parley until a signal stops it."""

import asyncio
import contextlib
import gc
import sys
from functools import partial

from parley.api import descriptors
from parley.api.app import create_app
from parley.api.logs import log_config
from parley.api.server import Server, make_config
from parley.application import open_application
from parley.settings import Settings
from parley.storage.folder_lock import leave_address

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
        config = make_config(
            create_app(app),
            host=settings.host.strip("[]"),
            port=settings.port,
            log_config=log_config(every_line=settings.log_level == "debug", kind=settings.log_format),
            log_level="warning" if settings.log_level == "info" else settings.log_level,
            access_log=settings.log_level == "debug",
            timeout_graceful_shutdown=max(1, round(settings.stop_grace)),
        )
        _tune_garbage_collector()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        with contextlib.ExitStack() as stack:
            publish = partial(stack.enter_context, leave_address(settings.data_dir, settings.url))
            await Server(config, app, on_started=publish).serve()


def _tune_garbage_collector() -> None:
    """Collect seldom, and only what was made after the start.

    Structs of the hot path have no reference cycles, so reference counting frees them at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
