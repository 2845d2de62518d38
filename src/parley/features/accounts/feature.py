"""Accounts: who makes a request."""

from parley.engine.clock import WallClock
from parley.features.accounts.service import AccountsService
from parley.features.feature import Feature
from parley.storage.database import Database

FEATURE = Feature(
    name="accounts",
    build=lambda parts: (AccountsService(parts[Database].patient(), parts[WallClock]),),
    start=lambda parts: parts[AccountsService].open(),
)
