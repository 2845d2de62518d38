"""Seating: which model gets which seat of a match, drawn or chosen."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from parley.features.arena.sampling import ADD_MODELS, Sampling
from parley.features.arena.schemas import ChangeSeats, settings_of
from parley.kernel.errors import Invalid, Unavailable
from parley.kernel.ids import random_id
from parley.kernel.models import Capability, Model
from parley.kernel.options import NO_OPTIONS
from parley.kernel.ports import Catalog
from parley.kernel.seats import AS_IT_IS, Draw, Seat, Seating, SeatSettings
from parley.storage.tables.conversations import SeatRow

NONE_GIVEN: Mapping[str, SeatSettings] = MappingProxyType({})


class BattleCatalog(Catalog, Protocol):
    """A catalog that also knows which models can be drawn."""

    def battle_pool(self) -> Sequence[Model]:
        """Return the models that can be drawn for a blind match."""
        ...


class Seated(NamedTuple):
    """The seats of a new match, and the probability with which they were drawn."""

    seats: tuple[Seat, ...]
    propensity: float | None


def take_seats(
    seating: Seating,
    wished: Mapping[str, str] | None,
    catalog: BattleCatalog,
    chance: random.Random,
    sampling: Sampling,
    settings: Mapping[str, SeatSettings] = NONE_GIVEN,
    needs: Collection[Capability] = (),
    is_open: Callable[[Model], bool] = lambda _: True,
) -> Seated:
    """Assign models to seats: chosen ones as requested, with their settings, and drawn ones by the sampling.

    Drawn models have the capabilities `needs`, and `is_open` holds for them. Raises Invalid for an impossible request,
    Unavailable if there are too few models.
    """
    drawn = seating.drawn
    if wished is not None and drawn and all(group.draw is Draw.DRAWN for group in seating.groups):
        raise Invalid(
            "seats",
            "The models of a blind match are drawn at random.",
            "Remove this field, or use chat.",
        )
    models, propensity = _choose(seating, wished or {}, catalog), None
    if drawn:
        taken = {model.id for model in models.values()}
        pool = _able(catalog.battle_pool(), needs, len(drawn))
        others = [model for model in pool if model.id not in taken] if taken else pool
        free = [model for model in others if is_open(model)]
        if len(free) < len(drawn) <= len(others):
            raise _closed(len(drawn), len(free))
        lot = sampling.draw(free, len(drawn), chance)
        models |= dict(zip(drawn, lot.models, strict=True))
        propensity = lot.propensity
    _check_settings(seating, settings, models, "seat_settings")
    seats = (
        _seat(name, group.role, models[name], settings.get(name, AS_IT_IS))
        for group in seating.groups
        for name in seating.members(group, models)
    )
    return Seated(tuple(seats), propensity)


def change_seats(
    seating: Seating, seats: Sequence[SeatRow], request: ChangeSeats, catalog: BattleCatalog
) -> tuple[Seat, ...]:
    """Return the seats that join a match with these seats. Raises Invalid if that is not possible.

    A name is never reused, so that each reply stays with the seat that gave it.
    """
    taken = {seat.name for seat in seats}
    taking_part = [seat.name for seat in seats if seat.until_turn is None]
    for name in request.leave:
        if name not in taking_part:
            raise Invalid("seats.leave", f"The seat “{name}” is empty, so nobody can leave it.")
    settings = settings_of(request.settings)
    models: dict[str, Model] = {}
    for name, model_id in request.add.items():
        group, field = seating.group(name), f"seats.add.{name}"
        if name in taken:
            raise Invalid(field, f"The name “{name}” is taken in this match.", "Choose another name.")
        if group is None or group.draw is Draw.DRAWN:
            raise Invalid(field, f"There is no free seat “{name}”.")
        models[name] = _wish(name, model_id, catalog, field)
    _check_settings(seating, settings, models, "seats.settings")
    stay = [name for name in taking_part if name not in request.leave]
    for group in seating.groups:
        members = seating.members(group, [*stay, *models])
        if len(members) > group.most:
            raise Invalid("seats.add", f"At most {group.most} seats can be “{group.role}”.")
        if len(members) < group.least:
            raise Invalid("seats.leave", f"At least {group.least} seats must be “{group.role}”.")
    return tuple(
        _seat(name, group.role, model, settings.get(name, AS_IT_IS))
        for name, model in models.items()
        if (group := seating.group(name))
    )


def _closed(wanted: int, opened: int) -> Unavailable:
    return Unavailable(
        f"This needs {wanted} models, and you have keys for {opened}.",
        "Nothing was sent. Add provider keys of your own in Settings, Provider keys, or ask an administrator.",
        code="not_enough_models",
    )


_CAN: Mapping[str, str] = {"vision": "read pictures", "tools": "call tools"}


def _able(pool: Sequence[Model], needs: Collection[Capability], wanted: int) -> Sequence[Model]:
    """Return the models that can be drawn. Raises Unavailable if too few have the needed capabilities."""
    draws = "images" in needs
    pool = [model for model in pool if model.draws == draws]
    if not needs:
        return pool
    able = [model for model in pool if set(needs) <= set(model.capabilities)]
    if len(able) < wanted and draws:
        raise Unavailable(
            f"A battle of pictures needs {wanted} models that draw, but {len(able)} can be drawn for one.",
            "Nothing was sent. Connect a server that draws in Models, such as ComfyUI, or switch pictures off.",
            code="not_enough_models",
        )
    if len(able) < wanted:
        have = "none can" if not able else "only one can" if len(able) == 1 else f"only {len(able)} can"
        what = [words for need, words in _CAN.items() if need in needs]
        raise Unavailable(
            f"This blind match needs {wanted} models that {' and '.join(what)}, but {have}.",
            "Nothing was sent. Add such models to the model list, or remove the picture or the tools.",
            code="not_enough_models",
        )
    return able


def _choose(seating: Seating, wished: Mapping[str, str], catalog: BattleCatalog) -> dict[str, Model]:
    """Return the models of the chosen seats.

    Without a request, the first listed model gets every required seat.
    """
    groups = [group for group in seating.groups if group.draw is Draw.CHOSEN]
    members = {group.role: seating.members(group, wished) for group in groups}
    for name in wished:
        group = seating.group(name)
        if group in groups and name in members[group.role][: group.most]:
            continue
        if group is not None and group.draw is Draw.DRAWN:
            raise Invalid(
                f"seats.{name}", f"The model of seat “{name}” is drawn, not chosen.", "Leave it out."
            )
        raise Invalid(f"seats.{name}", f"There is no seat “{name}” in this mode.")
    for group in groups:
        if group.most > 1 and len(members[group.role]) < group.least:
            raise Invalid(
                "seats",
                f"This mode needs at least {group.least} {group.role}{'s' if group.least > 1 else ''}.",
            )
    needed = [
        group.names[0] for group in groups if group.most == 1 and group.least and not members[group.role]
    ]
    models = {name: _wish(name, wished[name], catalog) for group in groups for name in members[group.role]}
    if needed and wished:
        raise Invalid(f"seats.{needed[0]}", f"This mode needs a model for seat “{needed[0]}”.")
    return models | {name: _wish(name, None, catalog) for name in needed}


def _wish(name: str, model_id: str | None, catalog: BattleCatalog, field: str = "") -> Model:
    able = [model for model in catalog.models() if model.enabled and model.answers]
    if model_id is None:
        if not able:
            raise Unavailable("No model is ready to answer.", ADD_MODELS, code="no_models")
        return able[0]
    for model in able:
        if model.id == model_id:
            return model
    raise Invalid(
        field or f"seats.{name}",
        f"There is no model “{model_id}”, or it can't answer.",
        "Choose another one. GET /api/models lists them.",
    )


def _check_settings(
    seating: Seating, settings: Mapping[str, SeatSettings], models: Mapping[str, Model], within: str
) -> None:
    """Raise Invalid, naming the seat, if its settings can't apply to its model."""
    if settings and not seating.settings:
        raise Invalid(within, "This mode has no settings for its seats.", "Leave this field out.")
    for name, seat_settings in settings.items():
        field = f"{within}.{name}"
        if name not in models:
            raise Invalid(field, f"There are settings for the seat “{name}”, but it has no model.")
        if name in seating.drawn:
            raise Invalid(field, f"The model of seat “{name}” is drawn, so it can't have settings.")
        if models[name].kind == "ensemble" and seat_settings.options != NO_OPTIONS:
            raise Invalid(
                field,
                f"“{models[name].name}” is an ensemble: it accepts a system prompt, but no temperature, "
                "token limit or reasoning effort.",
            )
        if seat_settings.picture and not models[name].draws:
            raise Invalid(
                f"{field}.picture",
                f"“{models[name].name}” doesn't draw, so it has no settings for pictures.",
                "Leave them out, or choose a model that draws.",
            )
        if seat_settings.reasoning_effort and "reasoning" not in models[name].capabilities:
            raise Invalid(
                f"{field}.reasoning_effort",
                f"“{models[name].name}” is not listed as able to take a reasoning effort.",
                "Leave it out, or add the capability “reasoning” to this model.",
            )


def _seat(name: str, role: str, model: Model, settings: SeatSettings) -> Seat:
    return Seat(id=random_id(), name=name, role=role, model_id=model.id, settings=settings)
