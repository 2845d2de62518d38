"""The standings without a server: for commands that look at a database or put it right."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from parley.engine.clock import WallClock
from parley.kernel.errors import NotFound
from parley.kernel.views import ModelCard
from parley.storage import schema
from parley.storage.database import Database
from parley.text.categories.categorise import Categories
from parley.workspace.catalog.repository import CatalogRepository
from parley.workspace.standings.room import StandingsRoom


@asynccontextmanager
async def open_alone(database: Database, categories: Categories) -> AsyncGenerator[StandingsRoom]:
    """Open the standings of a database; nothing is counted unless somebody asks for it.

    Raises Unavailable where there is no database, or where it has the tables of another version.
    """
    await schema.require_current(database)
    cards = await database.read(lambda transaction: CatalogRepository(transaction).cards())

    def card(model_id: str) -> ModelCard:
        if model_id not in cards:
            raise NotFound(f"There has never been a model “{model_id}” here.")
        return cards[model_id]

    room = StandingsRoom(database=database, clock=WallClock(), card=card, categories=categories)
    try:
        yield room
    finally:
        await room.close()
