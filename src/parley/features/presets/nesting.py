"""Nesting: which ensembles may contain which, so that each of them can finish."""

from collections.abc import Mapping

from parley.kernel.errors import Invalid
from parley.kernel.paths import MOST_DEPTH
from parley.storage.tables.presets import PresetRow


def check_nesting(row: PresetRow, seats: Mapping[str, str], known: Mapping[str, PresetRow]) -> None:
    """Raise Invalid, naming the seat, if a preset would contain itself or be nested too deeply.

    `known`: the contestants by model id.
    """
    for seat, model_id in seats.items():
        if _holds(row.id, model_id, known):
            name = known[model_id].name
            how = "contain itself" if known[model_id].id == row.id else f"contain itself through “{name}”"
            raise Invalid(
                f"seats.{seat}",
                f"seats.{seat}: “{row.name}” would {how}, so it could never answer.",
                "Nothing was saved. Choose another model for this seat.",
                code="ensemble_cycle",
            )
        if row.contestant and _depth(model_id, known) >= MOST_DEPTH:
            raise Invalid(
                f"seats.{seat}",
                f"seats.{seat}: “{known[model_id].name}” contains ensembles, and ensembles can be nested "
                f"at most {MOST_DEPTH} deep.",
                "Nothing was saved. Choose a single model for this seat, or an ensemble of single models.",
                code="ensemble_too_deep",
            )


def _holds(preset_id: str, model_id: str, known: Mapping[str, PresetRow]) -> bool:
    """Return whether a model is a preset or contains it at any depth."""
    waiting, seen = [model_id], set[str]()
    while waiting:
        row = known.get(waiting.pop())
        if row is None or row.id in seen:
            continue
        if row.id == preset_id:
            return True
        seen.add(row.id)
        waiting += row.seats.values()
    return False


def _depth(model_id: str, known: Mapping[str, PresetRow]) -> int:
    """Return how deeply a model is nested: 0 for a single model, 1 for an ensemble of single models."""
    row = known.get(model_id)
    return 0 if row is None else 1 + max((_depth(inner, known) for inner in row.seats.values()), default=0)
