"""The contract of a plugin: implement any of these hooks with `hookimpl`.

A plugin is an installed package with an entry point in the group `parley` that names a module (or an object) with hook
implementations:

    [project.entry-points.parley]
    my-plugin = "my_package.parley_plugin"

    from parley.plugins.hookspecs import hookimpl

    @hookimpl
    def parley_modes():
        return [Debate()]

Built-in modes and connectors register in the same way; `parley.features.feature` describes a feature. Names must be
unique; a plugin that cannot be loaded is skipped, and `parley doctor` says why. Test plugins with `parley.testing`;
`examples/parley-plugin-panel` and `examples/parley-plugin-words` are complete ones.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pluggy

from parley.kernel.connector import Chunk, Connector
from parley.kernel.mode import Mode
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest

if TYPE_CHECKING:
    from parley.wire.http import HttpClient

PROJECT = "parley"

ConnectorFactory: TypeAlias = "Callable[[Provider, HttpClient], Connector]"
"""Makes the connector of one provider; must not do any I/O. Raises ParleyError for a bad provider."""

Draw: TypeAlias = Callable[[DrawRequest], AsyncIterator[Chunk]]
"""Draws pictures; see `parley.kernel.connector.DrawsImages.draw`."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def parley_connectors() -> Mapping[str, ConnectorFactory]:
    """Return connectors by the name used for `connector:` in the model list."""
    return {}


@hookspec
def parley_modes() -> Sequence[Mode[Any]]:
    """Return modes; one object serves every match."""
    return ()


@hookspec
def parley_features() -> Sequence[object]:
    """Return features (`parley.features.feature.Feature`): tables, services, routes, commands, personal data."""
    return ()


@hookspec
def parley_checks() -> Mapping[str, Callable[..., Any]]:
    """Return checks of the Prompt Lab by name: `async (answer, settings) -> Verdict`.

    `answer` and the verdict are those of `parley.features.lab.checks.contract`; `settings` are those of the check.
    """
    return {}


@hookspec
def parley_tools() -> Sequence[object]:
    """Return sources of tools (`parley.features.tools.sources.ToolSource`)."""
    return ()


@hookspec
def parley_measures() -> Sequence[object]:
    """Return measures of usage (`parley.features.usage.measure.Measure`)."""
    return ()


@hookspec
def parley_image_models() -> Mapping[str, Draw]:
    """Return image models by the name used for `connector:` in the model list."""
    return {}
