"""The modes: ways for models to meet, each one file or one folder with one entry."""

from collections.abc import Sequence
from typing import Any

from parley.kernel.mode import Mode
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.modes.compare import Compare
from parley.modes.consortium.mode import Consortium
from parley.modes.team.mode import Team
from parley.plugins.hookspecs import hookimpl


@hookimpl
def parley_modes() -> Sequence[Mode[Any]]:
    """Return the built-in modes in the order of the mode switch."""
    return [Battle(), Compare(), Consortium(), Team(), Chat()]
