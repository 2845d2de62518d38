"""The composition root: settings become a house whose floors know each other only through ports."""

from parley.wiring.catalog import build_catalog, build_registry, open_connectors
from parley.wiring.opening import database_revisions, open_house
from parley.wiring.rooms import House

__all__ = ["House", "build_catalog", "build_registry", "database_revisions", "open_connectors", "open_house"]
