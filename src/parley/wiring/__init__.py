"""The composition root: builds the application from its settings."""

from parley.wiring.application import Application
from parley.wiring.catalog import build_catalog, build_registry, open_connectors, read_catalog
from parley.wiring.startup import database_revisions, open_application

__all__ = [
    "Application",
    "build_catalog",
    "build_registry",
    "database_revisions",
    "open_application",
    "open_connectors",
    "read_catalog",
]
