"""The demo: offline, honestly labelled characters that answer with recorded conversations."""

from parley.connectors.demo.catalog import demo_catalog, faulty_catalog
from parley.connectors.demo.connector import DemoConnector

__all__ = ["DemoConnector", "demo_catalog", "faulty_catalog"]
