"""Acts: what people did that an operator must be able to prove later."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import msgspec


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person did. `name` is a short sentence; `route` is the request's, such as `DELETE /api/x/{id}`.

    `person_id` is who did it. `about` has what it was done to, and the choices made, never texts or secrets.
    """

    person_id: str
    name: str
    route: str
    about: Mapping[str, str | int | float | bool]


class Acts(ABC):
    """The port that records acts."""

    @abstractmethod
    async def record(self, act: Act) -> None:
        """Record an act durably, if this Parley keeps a record of acts."""
