"""Suggested models of a hosted provider: the newest few that have a published, ordinary price."""

import re

import msgspec

from parley.features.catalog.discovery.findings import OfferedModel

SUGGESTED = 3
HIGHEST_PRICE = 30.0
"""US dollars per million tokens of output: more expensive models are not suggested."""


def with_suggestions(models: tuple[OfferedModel, ...]) -> tuple[OfferedModel, ...]:
    """Mark the suggested models. Providers rename their models too often for a list of names."""
    priced = [
        model
        for model in models
        if model.purpose == "chat" and model.prices and 0 < model.prices.output <= HIGHEST_PRICE
    ]
    chosen = {model.model for model in sorted(priced, key=_newness, reverse=True)[:SUGGESTED]}
    return tuple(
        msgspec.structs.replace(model, suggested=True) if model.model in chosen else model for model in models
    )


def _newness(model: OfferedModel) -> tuple[float, list[int]]:
    """Return what grows with newer models: the date that the provider gives, else the numbers in the name."""
    return model.created or 0.0, [int(digits) for digits in re.findall(r"\d{1,9}", model.model)]
