"""A person's votes: lists, categories and replays."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.runner import Runner
from parley.features.arena.service import ArenaService
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature
from parley.features.standings.runtime import StandingsRuntime
from parley.features.vote_history.categories import VoteCategories
from parley.features.vote_history.category_model import CategoryModel
from parley.features.vote_history.routes import routes
from parley.features.vote_history.service import VotesService
from parley.features.voting.service import VotingService
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Model
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


def _build(parts: Parts) -> Sequence[object]:
    database, arena = parts[Database], parts[ArenaService]
    categories = VoteCategories(
        database=database,
        arena=arena,
        categories=parts[Categories],
        clock=parts[WallClock],
        wake=parts[StandingsRuntime].wake,
    )
    model = CategoryModel(
        model=_category_model(parts[Settings], parts[CatalogService]),
        gateway=parts[Gateway],
        queue=parts[Runner].queue,
        categories=categories,
    )
    parts[VotingService].when_stored(model.consider)
    return categories, model, VotesService(database=database, arena=arena, card=parts[ModelMemory].card)


def _category_model(settings: Settings, catalog: CatalogService) -> Model | None:
    """Return the model that is asked for categories. Raises ParleyError if the model list lacks it."""
    if settings.category_model is None:
        return None
    try:
        return catalog.model(settings.category_model)
    except NotFound as error:
        raise ParleyError(f"category_model: {error.title}", code="invalid_settings") from None


FEATURE = Feature(
    name="vote_history",
    needs=("arena", "catalog", "standings", "voting"),
    build=_build,
    routes=(routes,),
    stop=lambda parts: parts[CategoryModel].close(),
)
