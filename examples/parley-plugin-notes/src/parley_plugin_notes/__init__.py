"""A plugin for Parley: the feature “notes”."""

from collections.abc import Sequence

from parley.features.feature import Feature
from parley.plugins.hookspecs import hookimpl
from parley_plugin_notes.feature import FEATURE


@hookimpl
def parley_features() -> Sequence[Feature]:
    """Offer the notes."""
    return [FEATURE]
