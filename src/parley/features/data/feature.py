"""A person's data as a whole: where it is, its export, and its deletion."""

from parley.features.data.routes import routes
from parley.features.data.service import DataService
from parley.features.feature import Feature

FEATURE = Feature(name="data", build=lambda parts: (DataService(parts),), routes=(routes,))
