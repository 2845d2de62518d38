"""The names by which a program asks for a model."""

import re
from collections.abc import Collection, Iterable

from parley.kernel.models import Capability, Model

_REVISION = re.compile(r"-r[0-9]+$")


def names_of(model: Model) -> tuple[str, ...]:
    """Return a model's names: its id, and for a preset also the id without its revision, which outlives changes."""
    if model.kind == "single":
        return (model.id,)
    return model.id, _REVISION.sub("", model.id)


def can_be_called(model: Model) -> bool:
    """Return whether a model is for texts, embeddings or pictures."""
    return not {"text", "embeddings", "images"}.isdisjoint(model.capabilities)


def find_model(models: Collection[Model], name: str, able_to: Capability = "text") -> Model | None:
    """Return the model of a name that can be asked for something; an id comes before a preset's name."""
    usable = [model for model in models if model.enabled and able_to in model.capabilities]
    return _first(model for model in usable if model.id == name) or _first(
        model for model in usable if name in names_of(model)
    )


def may_use(model: Model, allowed: Collection[str] | None) -> bool:
    """Return whether a model is among the allowed ones; None allows all."""
    return allowed is None or not set(names_of(model)).isdisjoint(allowed)


def _first(models: Iterable[Model]) -> Model | None:
    return next(iter(models), None)
