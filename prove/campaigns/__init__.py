"""Every campaign, in the order of the report. A module of this folder offers its own as `CAMPAIGNS`."""

import importlib
import pkgutil

from prove.campaign import Campaign


def all_campaigns() -> list[Campaign]:
    """Return the campaigns of every module here, by module name."""
    found: list[Campaign] = []
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        found += importlib.import_module(f"{__name__}.{module}").CAMPAIGNS
    return found
