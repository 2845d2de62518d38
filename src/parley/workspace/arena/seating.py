"""Seating: who sits where in a new match, drawn or chosen as the mode's seating says."""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from parley.kernel.errors import Invalid, Unavailable
from parley.kernel.ids import random_id
from parley.kernel.models import Model
from parley.kernel.ports import Catalog
from parley.kernel.seats import Draw, Seat, Seating
from parley.workspace.arena.sampling import ADD_MODELS, Sampling


class BattleCatalog(Catalog, Protocol):
    """A catalog that also knows who may be drawn."""

    def battle_pool(self) -> Sequence[Model]:
        """Return the models that may be drawn for a blind match."""
        ...


class Seated(NamedTuple):
    """The seats of a new match, and the chance with which just these were drawn."""

    seats: tuple[Seat, ...]
    propensity: float | None


def take_seats(
    seating: Seating,
    wished: Mapping[str, str] | None,
    catalog: BattleCatalog,
    chance: random.Random,
    sampling: Sampling,
) -> Seated:
    """Seat models, those of a seating that draws by the sampling.

    Raises Invalid (a wish that cannot be), Unavailable (too few models).
    """
    if seating.draw is Draw.CHOSEN:
        return Seated(_choose(seating, wished or {}, catalog), None)
    if wished is not None:
        raise Invalid(
            "seats",
            "The models of a blind match are drawn, not chosen.",
            "Leave this field out, or use chat.",
        )
    drawn = sampling.draw(catalog.battle_pool(), len(seating.roles), chance)
    seats = (_seat(name, name, model) for name, model in zip(seating.roles, drawn.models, strict=True))
    return Seated(tuple(seats), drawn.propensity)


def _choose(seating: Seating, wished: Mapping[str, str], catalog: BattleCatalog) -> tuple[Seat, ...]:
    members = [name for name in wished if name not in seating.roles]
    least, most = seating.members
    if len(members) > most or (members and most == 0):
        raise Invalid(f"seats.{members[-1]}", f"There is no seat “{members[-1]}” in this mode.")
    if len(members) < least:
        raise Invalid("seats", f"This mode needs at least {least} members.")
    seats = [_seat(role, role, _wish(role, wished.get(role), catalog)) for role in seating.roles]
    seats += [_seat(name, "member", _wish(name, wished[name], catalog)) for name in members]
    missing = [role for role in seating.roles if wished and role not in wished]
    if missing:
        raise Invalid(f"seats.{missing[0]}", f"Nobody sits at “{missing[0]}”, which this mode needs.")
    return tuple(seats)


def _wish(name: str, model_id: str | None, catalog: BattleCatalog) -> Model:
    able = [model for model in catalog.models() if model.enabled and "text" in model.capabilities]
    if model_id is None:
        if not able:
            raise Unavailable("No model is ready to answer.", ADD_MODELS, code="no_models")
        return able[0]
    for model in able:
        if model.id == model_id:
            return model
    raise Invalid(
        f"seats.{name}",
        f"There is no model “{model_id}” that can answer.",
        "GET /api/models lists those there are.",
    )


def _seat(name: str, role: str, model: Model) -> Seat:
    return Seat(id=random_id(), name=name, role=role, model_id=model.id)
