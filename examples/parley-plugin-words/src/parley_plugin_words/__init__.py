"""A plug-in for Parley: a check, a tool, a measure and an image model."""

from collections.abc import Mapping, Sequence

from parley.features.lab.checks.plugged import PluggedCheck
from parley.features.tools.sources import ToolSource
from parley.features.usage.measure import Measure
from parley.plugins.hookspecs import Draw, hookimpl
from parley_plugin_words.jargon import has_no_jargon
from parley_plugin_words.length import ANSWER_LENGTH
from parley_plugin_words.swatch import draw_swatch
from parley_plugin_words.tool import WordTools


@hookimpl
def parley_checks() -> Mapping[str, PluggedCheck]:
    """Offer the check."""
    return {"jargon": has_no_jargon}


@hookimpl
def parley_tools() -> Sequence[ToolSource]:
    """Offer the tool."""
    return [WordTools()]


@hookimpl
def parley_measures() -> Sequence[Measure]:
    """Offer the measure."""
    return [ANSWER_LENGTH]


@hookimpl
def parley_image_models() -> Mapping[str, Draw]:
    """Offer the image model."""
    return {"swatch": draw_swatch}
