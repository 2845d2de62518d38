"""Offered models, completed with the facts that their names tell."""

import re

import msgspec

from parley.features.catalog.discovery.findings import OfferedModel
from parley.features.catalog.known_models.makers import facts_of_name, maker_of
from parley.kernel.models import Fact, FactSource


def described(model: OfferedModel) -> OfferedModel:
    """Return a model with a name for people and its maker, and where each of its facts is from.

    A name tells the maker better than a server, which may name whoever packed the model.
    """
    facts = facts_of_name(model.model)
    known_from: dict[Fact, FactSource] = {"capabilities": "server"}
    named = bool(facts.name) and _plain(model.name) in _plain(model.model)
    known_from["name"] = "name" if named else "server"
    stated = maker_of(model.organization)
    maker = facts.organization or stated
    if maker:
        known_from["organization"] = "name" if facts.organization else "server"
    for fact in ("context_window", "prices"):
        if getattr(model, fact) is not None:
            known_from[fact] = model.known_from.get(fact, "server")
    return msgspec.structs.replace(
        model, name=facts.name if named else model.name, organization=maker or None, known_from=known_from
    )


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower())
