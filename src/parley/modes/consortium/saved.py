"""Reading and writing consortia in the format of the llm-consortium plugin."""

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from parley.kernel.errors import Invalid
from parley.modes.consortium.brief import ARBITER, MOST_MEMBERS, ConsortiumBrief
from parley.modes.consortium.prompts import ROLES
from parley.text.plain_words import in_plain_words

SEATS = string.ascii_lowercase
UNKNOWN_THERE = frozenset({"council"})
"""Strategies that the plugin does not have."""

Resolve: TypeAlias = Callable[[str], str | None]
"""Returns the id of the model that a name refers to, or None."""

_TAKEN_OVER = {
    "system_prompt",
    "confidence_threshold",
    "max_iterations",
    "minimum_iterations",
    "judging_method",
    "manual_context",
}
_OF_ELIMINATION = {"elimination_delay", "elimination_count", "elimination_fraction"}
_OF_VOTING = {"similarity_threshold"}
_OF_STRATEGIES = _OF_ELIMINATION | _OF_VOTING


class SavedConsortium(msgspec.Struct, frozen=True, kw_only=True):
    """A saved consortium as seats and brief; `warnings` list what is different here."""

    seats: dict[str, str]
    brief: dict[str, object]
    warnings: tuple[str, ...] = ()


class _Config(BaseModel):
    """The plugin's own fields; others are kept as extras."""

    model_config = ConfigDict(extra="allow")
    models: dict[str, int] = Field(min_length=1)
    arbiter: str | None = None
    strategy: str | None = None
    strategy_params: dict[str, Any] | None = None


def with_count(entry: str, resolve: Resolve) -> tuple[str, int]:
    """Split "model:3" into model and count, unless a model has that name. Raises Invalid for a bad count."""
    if resolve(entry) is not None:
        return entry, 1
    head, colon, tail = entry.rpartition(":")
    if not (colon and head and tail.isdecimal()):
        return entry, 1
    if not 1 <= int(tail) <= MOST_MEMBERS:
        raise Invalid("model", f"{entry}: the count must be from 1 to {MOST_MEMBERS}.")
    return head, int(tail)


def seated(models: Mapping[str, int], arbiter: str, resolve: Resolve) -> dict[str, str]:
    """Return the seats of a consortium of models with their counts. Raises Invalid."""
    seats = {ARBITER: _resolved("arbiter", arbiter, resolve)}
    members: list[str] = []
    for name, count in models.items():
        full_name = f"{name}:{count}"
        if resolve(name) is None and resolve(full_name) is not None:
            # The plugin splits at the colon even if it is part of the model's name.
            members.append(_resolved("models", full_name, resolve))
            continue
        bare, more = with_count(name, resolve)
        members += [_resolved("models", bare, resolve)] * (count * more)
    if not 1 <= len(members) <= MOST_MEMBERS:
        raise Invalid("models", f"models: a consortium has 1 to {MOST_MEMBERS} members, not {len(members)}.")
    return seats | dict(zip(SEATS, members, strict=False))


def read_saved(raw: object, resolve: Resolve) -> SavedConsortium:
    """Read a configuration that the plugin has saved.

    Settings that mean nothing here are left out. Raises Invalid that names the field: it cannot be read, or a model is
    not in the catalog.
    """
    try:
        config = _Config.model_validate(raw)
    except ValidationError as error:
        raise _unreadable(error) from None
    if config.arbiter is None:
        raise Invalid("arbiter", "arbiter: is missing. A consortium needs one.")
    extra: dict[str, Any] = dict(config.model_extra or {})
    options = {name: value for name, value in extra.items() if name in _TAKEN_OVER and value is not None}
    seats = seated(config.models, config.arbiter, resolve)
    if isinstance(options.get("judging_method"), str):
        options["judging_method"] = options["judging_method"].strip().lower()
    warnings: list[str] = []
    options |= _strategy(config, seats, warnings)
    try:
        brief = ConsortiumBrief.model_validate(options)
    except ValidationError as error:
        raise _unreadable(error) from None
    return SavedConsortium(seats=seats, brief=brief.model_dump(mode="json"), warnings=tuple(warnings))


def write_saved(seats: Mapping[str, str], brief: Mapping[str, object]) -> dict[str, object]:
    """Return a consortium as the plugin saves it, with model ids as names.

    The plugin refuses strategies that it does not know, so a council becomes the default one.
    """
    checked = ConsortiumBrief.model_validate(brief)
    members: dict[str, list[str]] = {}
    for name, model_id in seats.items():
        if name != ARBITER:
            members.setdefault(model_id, []).append(name)
    plain = checked.model_dump(mode="json")
    own = {"elimination": _OF_ELIMINATION, "voting": _OF_VOTING}.get(checked.strategy, set[str]())
    params = {name: plain[name] for name in sorted(own)}
    if checked.strategy == "role" and checked.roles:
        params["roles"] = _in_order(checked.roles, seats, members)
    return {
        "models": {model_id: len(names) for model_id, names in members.items()},
        "system_prompt": checked.system_prompt,
        "confidence_threshold": checked.confidence_threshold,
        "max_iterations": checked.max_iterations,
        "minimum_iterations": checked.minimum_iterations,
        "arbiter": seats[ARBITER],
        "judging_method": checked.judging_method,
        "strategy": "default" if checked.strategy in UNKNOWN_THERE else checked.strategy,
        "strategy_params": {name: value for name, value in params.items() if value is not None},
        "manual_context": checked.manual_context,
    }


def _in_order(
    roles: Mapping[str, str], seats: Mapping[str, str], members: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return roles in the plugin's order: for the instances of the first model, then the next."""
    places = [name for name in seats if name != ARBITER]
    dealt = [name for names in members.values() for name in names]
    last = max((dealt.index(name) for name in roles if name in dealt), default=-1)
    return [roles.get(name) or ROLES[places.index(name) % len(ROLES)] for name in dealt[: last + 1]]


def _strategy(config: _Config, seats: Mapping[str, str], warnings: list[str]) -> dict[str, object]:
    """Return the strategy and its known parameters; append warnings about the rest."""
    known = ConsortiumBrief.model_fields["strategy"].annotation
    name = (config.strategy or "").strip().lower() or "default"
    if name not in getattr(known, "__args__", ()):
        warnings.append(f"The strategy {name} is unknown, so the default is used.")
        return {}
    options: dict[str, object] = {"strategy": name}
    for key, value in (config.strategy_params or {}).items():
        if key in _OF_STRATEGIES:
            options[key] = value
        elif key == "roles" and isinstance(value, list | str):
            roles = [value] if isinstance(value, str) else [str(one) for one in cast("list[object]", value)]
            members = [seat for seat in seats if seat != ARBITER]
            options["roles"] = dict(zip(members, roles, strict=False))
            if len(roles) > len(members):
                warnings.append(
                    f"Only the first {len(members)} of {len(roles)} roles are used, one for each member."
                )
        else:
            warnings.append(f"strategy_params.{key} is not used here.")
    return options


def _unreadable(error: ValidationError) -> Invalid:
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"])) or "config"
    return Invalid(field, f"{field}: {in_plain_words(first)}.")


def _resolved(field: str, name: str, resolve: Resolve) -> str:
    model_id = resolve(name)
    if model_id is None:
        raise Invalid(
            field,
            f"{field}: there is no model “{name}” in the catalog.",
            "Add it to the model list, or save the consortium with another model.",
        )
    return model_id
