"""The demo: offline characters, labelled as such, that answer from recorded conversations."""

from parley.connectors.demo.catalog import demo_catalog, faulty_catalog
from parley.connectors.demo.connector import DemoConnector

__all__ = ["DemoConnector", "demo_catalog", "faulty_catalog"]
