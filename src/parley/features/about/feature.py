"""The installation itself: health, version and modes."""

from parley.features.about.routes import routes
from parley.features.feature import Feature

FEATURE = Feature(name="about", needs=("catalog", "attachments", "presets"), routes=(routes,))
