"""Exports of everybody's sessions and votes."""

from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.exports.routes import routes
from parley.features.exports.service import Exports
from parley.features.feature import Feature
from parley.storage.database import Database

FEATURE = Feature(
    name="exports",
    needs=("accounts", "catalog", "sessions", "vote_files"),
    build=lambda parts: (Exports(parts[Database].patient(), parts[WallClock], parts[ModelMemory].card),),
    routes=(routes,),
)
