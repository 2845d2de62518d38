"""A plugin for Parley: the mode “panel”, and the connector “parrot” to try it with."""

from collections.abc import Mapping, Sequence

from parley.plugins.hookspecs import ConnectorFactory, hookimpl
from parley_plugin_panel.mode import Panel
from parley_plugin_panel.parrot import Parrot


@hookimpl
def parley_modes() -> Sequence[Panel]:
    """Offer the panel."""
    return [Panel()]


@hookimpl
def parley_connectors() -> Mapping[str, ConnectorFactory]:
    """Offer the parrots, by the name that stands in `connector:` of the model list."""
    return {"parrot": lambda _provider, _client: Parrot()}
