"""Callers: who makes a request, what they may do, and how they connected."""

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

from parley.kernel.errors import ParleyError
from parley.kernel.sealing import Seal

Way: TypeAlias = Literal["page", "program", "command", "inside"]
"""A page in a browser, a program over HTTP, a command in its own process, or background work."""


class Scope(StrEnum):
    """A right of a caller; no scope includes another."""

    READ = "read"
    """Read what everyone shares: models, modes, standings."""
    TALK = "talk"
    """Use one's own sessions, turns, votes and presets."""
    MANAGE = "manage"
    """Change what everyone shares: import votes, recount them."""


class Role(StrEnum):
    """The place of a person in an installation."""

    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    GUEST = "guest"


SCOPES_OF = {
    Role.ADMINISTRATOR: frozenset(Scope),
    Role.MEMBER: frozenset({Scope.READ, Scope.TALK}),
    Role.GUEST: frozenset({Scope.READ, Scope.TALK}),
}
"""The rights of each role."""


class SpaceRole(StrEnum):
    """The place of a person in a workspace."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"


KeyScope: TypeAlias = Literal["chat", "embeddings", "images", "read"]
"""A right of an API key: to ask models for one kind of thing at the door, or to read what everyone shares."""

DOOR_SCOPES: frozenset[KeyScope] = frozenset({"chat", "embeddings", "images"})
"""The rights of a key for which nobody has chosen any: all at the door, and nothing outside of it."""


class CallerKey(msgspec.Struct, frozen=True):
    """The API key of a request. `models`: the ids of the only models that it may use; None for all."""

    id: str
    person_id: str
    models: tuple[str, ...] | None = None
    scopes: frozenset[KeyScope] = DOOR_SCOPES


class Caller(msgspec.Struct, frozen=True):
    """Who makes a request. Use cases find only what belongs to `person_id`: this person, or the workspace they act in.

    `login_id`: the login that carries the request, empty without one. `key`: the API key that does, if one does.
    `member_id` and `space_role`: who acts in a workspace, and their place in it; None outside. `lacks_factor`: a second
    factor is demanded of them, and they can do nothing but add one. `seal`: the key of the sealed session that the
    request is about, if it carries one.
    """

    person_id: str
    scopes: frozenset[Scope]
    way: Way
    role: Role = Role.ADMINISTRATOR
    login_id: str = ""
    member_id: str | None = None
    space_role: SpaceRole | None = None
    key: CallerKey | None = None
    lacks_factor: bool = False
    seal: Seal | None = None

    @property
    def author_id(self) -> str:
        """The person who acts, in a workspace too."""
        return self.member_id or self.person_id

    @property
    def may_write(self) -> bool:
        """They may change what they see."""
        return self.space_role is not SpaceRole.VIEWER

    @property
    def is_known(self) -> bool:
        """It is known who asks."""
        return self.person_id != ""

    @property
    def space_id(self) -> str:
        """The space that new things belong to: the person's own, which has their id."""
        return self.person_id

    def __str__(self) -> str:
        """Return the person and how they connected, for the log."""
        return f"{self.author_id} ({self.way})"


class Credentials(msgspec.Struct, frozen=True):
    """The means by which a request says who sends it.

    `is_local`: it comes from this computer. `login`: the secret of the cookie. `bearer`: that of its Authorization.
    `space_id`: the workspace to act in, empty for one's own space. `door`: it is for the OpenAI door, which opens to
    API keys and to nothing else; outside of it, an API key with the scope `read` reads what everyone shares.
    """

    is_local: bool
    login: str = ""
    bearer: str = ""
    space_id: str = ""
    door: bool = False


class Callers(ABC):
    """The port that knows who makes a request."""

    @abstractmethod
    async def caller_of(self, way: Way, credentials: Credentials) -> Caller:
        """Return the caller; one without an id and scopes if it is not known who asks."""

    @abstractmethod
    def refusal(self, caller: Caller) -> ParleyError:
        """Return the error for a caller without the scope that a route needs."""


def inside(person_id: str) -> Caller:
    """Return the caller for background work on what is one person's own."""
    return Caller(person_id, frozenset({Scope.TALK}), "inside")
