"""An overview of the installation as it is now, for administrators."""

from collections.abc import Sequence

from parley.engine.runner import Runner
from parley.features.catalog.provider_states import ProviderStates
from parley.features.feature import Feature
from parley.features.overview.routes import routes
from parley.features.overview.service import OverviewService
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    folder = parts[Settings].data_dir
    return (OverviewService(parts[Database], parts[Runner], parts[ProviderStates], folder),)


FEATURE = Feature(name="overview", needs=("accounts", "catalog"), build=_build, routes=(routes,))
