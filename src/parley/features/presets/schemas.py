"""Requests and responses about presets."""

from typing import Annotated, Any, Self

import msgspec
from pydantic import AfterValidator, Field, model_validator

from parley.features.arena.schemas import ModelId, SeatName, SettingsBySeat
from parley.kernel.names import checked_name
from parley.kernel.request import Request
from parley.kernel.seats import SeatSettings

MAX_NAME_CHARS = 200


PresetName = Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(checked_name)]
Description = Annotated[str, Field(max_length=2000)]


class SavePreset(Request):
    """A mode's settings and seats under a name.

    `contestant` makes it usable as a model: it can be chosen, drawn for blind battles and rated. `is_default` makes new
    sessions of the mode start with it instead of the previous default.
    """

    mode: str
    name: PresetName
    description: Description | None = None
    seats: dict[SeatName, ModelId]
    seat_settings: SettingsBySeat | None = None
    brief: dict[str, Any] | None = None
    contestant: bool = False
    is_default: bool = False


class ChangePreset(Request):
    """The fields to change. Fields that are left out stay as they are; settings of removed seats are dropped."""

    name: PresetName | None = None
    description: Description | None = None
    seats: dict[SeatName, ModelId] | None = None
    seat_settings: SettingsBySeat | None = None
    brief: dict[str, Any] | None = None
    contestant: bool | None = None
    is_default: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must change at least one field")
        return self


class PresetView(msgspec.Struct, frozen=True, kw_only=True):
    """A preset. `missing` are models of its seats that are no longer in the catalog, so it can't run with them.

    `revision` grows with every change of seats or settings. Times are ISO 8601, UTC. `model_id` is the model that a
    contestant answers and is rated as, a new one for each revision; null if it is not a contestant. New sessions of the
    mode start with the preset that `is_default`.
    """

    id: str
    mode: str
    name: str
    description: str | None
    seats: dict[str, str]
    seat_settings: dict[str, SeatSettings]
    brief: dict[str, object]
    revision: int
    contestant: bool
    is_default: bool
    model_id: str | None
    missing: list[str]
    created_at: str
    updated_at: str


class PresetList(msgspec.Struct, frozen=True):
    """Every preset of the owner, by mode and name."""

    presets: list[PresetView]
