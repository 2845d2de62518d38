"""A blank PostgreSQL database for a campaign, with a connection that looks into it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg

from prove.campaign import Skipped
from tests.fakes.databases import NoServer, a_blank_database, connect


@asynccontextmanager
async def a_server_database() -> AsyncGenerator[tuple[asyncpg.Connection, str]]:
    """Yield a connection to a database, and its URL. Raises Skipped where there is no server."""
    try:
        async with a_blank_database() as url:
            database = await connect(url.rpartition("/")[2])
            try:
                yield database, url
            finally:
                await database.close()
    except NoServer as missing:
        raise Skipped(str(missing)) from missing
