"""The caller for commands that do the work in their own process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parley.kernel.caller import Caller


def the_caller() -> "Caller":
    """Return who gives the command: whoever may read the data folder is the owner."""
    from parley.workspace.accounts.service import AccountsService

    return AccountsService.owner("command")
