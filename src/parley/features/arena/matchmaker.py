"""The matchmaker: validates a new match and assigns models to its seats."""

import random
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from parley.features.arena.sampling import Sampling
from parley.features.arena.seating import NONE_GIVEN, BattleCatalog, Seated, take_seats
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.mode import Brief, Mode
from parley.kernel.models import Capability, Model
from parley.kernel.ports import Ensemble
from parley.kernel.seats import Seating, SeatSettings
from parley.kernel.views import ModelCard
from parley.text.plain_words import in_plain_words


class Matchmaker(NamedTuple):
    """The material of matches: modes, models and their cards, and the draw of models.

    `ensemble` returns the ensemble behind a model of that kind, or raises NotFound. `may_ask`: a caller has a key for a
    model.
    """

    modes: Mapping[str, Mode[Any]]
    catalog: BattleCatalog
    card: Callable[[str], ModelCard]
    chance: random.Random
    sampling: Sampling
    ensemble: Callable[[str], Ensemble]
    may_ask: Callable[[Model, Caller], bool] = lambda _, __: True

    def seats(
        self,
        seating: Seating,
        wished: Mapping[str, str] | None,
        settings: Mapping[str, SeatSettings] = NONE_GIVEN,
        needs: Collection[Capability] = (),
        caller: Caller | None = None,
    ) -> Seated:
        """Assign models to seats: chosen ones, or drawn from those with `needs` that the caller may ask.

        Raises Invalid, Unavailable.
        """

        def is_open(model: Model) -> bool:
            return caller is None or self.may_ask(model, caller)

        return take_seats(
            seating, wished, self.catalog, self.chance, self.sampling, settings, needs, is_open=is_open
        )

    def mode(self, name: str) -> Mode[Any]:
        """Return a mode. Raises Invalid."""
        mode = self.modes.get(name)
        if mode is None:
            raise Invalid("mode", f"There is no mode “{name}”.", f"The modes are {', '.join(self.modes)}.")
        return mode

    def remembers(self, mode: str) -> bool:
        """Return whether a mode needs a match's earlier turns."""
        return mode in self.modes and self.modes[mode].remembers

    def check(
        self,
        mode: str,
        seats: Mapping[str, str],
        brief: Mapping[str, Any],
        settings: Mapping[str, SeatSettings] = NONE_GIVEN,
    ) -> Brief:
        """Return the validated brief of a new match. Raises Invalid, Unavailable."""
        known = self.mode(mode)
        seated = self.seats(known.seating, seats, settings)
        checked = read_brief(known, brief)
        known.check(checked, seated.seats)
        return checked


def read_brief(mode: Mode[Any], raw: Mapping[str, Any] | None) -> Brief:
    """Return a mode's validated settings. Raises Invalid, naming the first wrong one."""
    return _checked_brief(mode, raw) if raw else usual_brief(mode)[0]


@cache
def usual_brief(mode: Mode[Any]) -> tuple[Brief, dict[str, Any]]:
    """Return a mode's default settings, and their stored form."""
    brief = _checked_brief(mode, {})
    return brief, brief.model_dump(mode="json")


def _checked_brief(mode: Mode[Any], raw: Mapping[str, Any]) -> Brief:
    try:
        return mode.brief.model_validate(dict(raw))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(("brief", *(str(part) for part in first["loc"])))
        raise Invalid(field, f"{field}: {in_plain_words(first, mode.brief.model_fields)}.") from None
