"""Requests and responses about accounts, validated."""

import re
from typing import Annotated, Literal

import msgspec
from pydantic import AfterValidator, Field, SecretStr

from parley.kernel.caller import Role, SpaceRole
from parley.kernel.names import checked_name
from parley.kernel.request import Request

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}")
DAYS = 86_400


def _email(text: str) -> str:
    email = text.strip().lower()
    if not _EMAIL.fullmatch(email) or not email.isprintable():
        raise ValueError("must be an e-mail address, such as ana@example.org")
    return email


def _name(text: str) -> str:
    name = checked_name(text)
    if len(name) > 64:
        raise ValueError(f"has {len(name)} characters; the limit is 64")
    return name


Email = Annotated[str, AfterValidator(_email), Field(json_schema_extra={"maxLength": 320})]
PersonName = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"maxLength": 64})]
RoleName = Literal["administrator", "member", "guest"]


class SignIn(Request):
    """An e-mail address and its password."""

    email: Email
    password: SecretStr


class ProgramSignIn(SignIn):
    """The same from a program. `code`: what the person's app shows now, where they have one."""

    code: Annotated[str, Field(max_length=40)] | None = None


class Refresh(Request):
    """The token that renews a program's login."""

    refresh_token: Annotated[str, Field(max_length=100)]


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of a program's login. `access_token` is a JWT for `Authorization`, good for `expires_in` seconds.

    `refresh_token` is good for one use; after 30 days without one the login ends.
    """

    access_token: str
    refresh_token: str
    expires_in: int
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 - no secret


class NewAccount(Request):
    """The account that somebody makes for themselves."""

    email: Email
    name: PersonName
    password: SecretStr


class LookAtLink(Request):
    """The secret part of a link, which is what comes after `#`."""

    token: Annotated[str, Field(max_length=100)]


class UseLink(LookAtLink):
    """The answers that a link asks for: a password, and for a new account also name and address."""

    password: SecretStr
    name: PersonName | None = None
    email: Email | None = None


class ChangeMe(Request):
    """Changes to one's own account. A new address needs the password."""

    name: PersonName | None = None
    email: Email | None = None
    password: SecretStr | None = None


class ChangePassword(Request):
    """A new password, with the one until now."""

    current: SecretStr
    password: SecretStr


class Confirm(Request):
    """The password, to confirm what cannot be undone."""

    password: SecretStr


class Invite(Request):
    """An invitation. `days`: until it expires."""

    role: Literal["administrator", "member"] = "member"
    note: Annotated[str, Field(max_length=64)] = ""
    days: Annotated[int, Field(ge=1, le=90)] = 7


class NewPerson(NewAccount):
    """An account that an administrator makes for somebody."""

    role: Literal["administrator", "member"] = "member"


class ChangePerson(Request):
    """Changes of an administrator to a person."""

    role: RoleName | None = None
    disabled: bool | None = None


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """A person. Times are ISO 8601, UTC. `email` is null for guests."""

    id: str
    name: str
    email: str | None
    role: Role
    created_at: str
    seen_at: str | None
    disabled_at: str | None


class IdentityProvider(msgspec.Struct, frozen=True):
    """A provider that people sign in with, at `/api/auth/with/{id}`."""

    id: str
    name: str


class SignInRules(Request):
    """The demands on everybody. `second_factor`: a passkey or an app with codes, of who has a password.

    `providers_only`: people sign in with a provider of the settings, and with nothing else.
    """

    second_factor: bool
    providers_only: bool


class RulesView(msgspec.Struct, frozen=True):
    """The rules of signing in. `has_providers`: people can sign in with a provider at all."""

    second_factor: bool
    providers_only: bool
    has_providers: bool


class SignInOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The ways in: without an account, with an account of one's own making, and with other providers' accounts.

    `password`: with a password or passkey; where not, with a provider alone.
    """

    guests: bool
    sign_up: bool
    password: bool
    providers: list[IdentityProvider]


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks. In personal mode that is the owner, who needs no login. `person` is null if nobody is signed in.

    `may_manage`: they may change what everyone shares. `lacks_factor`: they must add a second factor first.
    """

    mode: Literal["personal", "shared"]
    person: PersonView | None
    may_manage: bool
    lacks_factor: bool
    sign_in: SignInOptions


class LoginView(msgspec.Struct, frozen=True, kw_only=True):
    """A signed-in browser. `is_this`: the one that asks."""

    id: str
    agent: str
    network: str
    created_at: str
    seen_at: str
    expires_at: str
    is_this: bool


class LoginList(msgspec.Struct, frozen=True):
    """Every signed-in browser of a person, the last seen first."""

    logins: list[LoginView]


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A link that has not been used. `url` is null unless it has just been made: only its hash is stored."""

    id: str
    purpose: Literal["invitation", "reset", "first_administrator"]
    role: Role | None
    note: str
    created_by: str
    created_at: str
    expires_at: str | None
    url: str | None


class LinkOffer(msgspec.Struct, frozen=True, kw_only=True):
    """The purpose of a link. `name` and `email` are those of the account that it is about, if there is one."""

    purpose: Literal["invitation", "reset", "first_administrator"]
    role: Role | None
    invited_by: str
    name: str | None
    email: str | None
    expires_at: str | None


class PeopleList(msgspec.Struct, frozen=True):
    """Everybody, by name, and the invitations that are open."""

    people: list[PersonView]
    invitations: list[LinkView]


class NameWorkspace(Request):
    """The name of a workspace."""

    name: PersonName


class AddMember(Request):
    """A person of a workspace, by their e-mail address, and their place in it."""

    email: Email
    role: Literal["owner", "editor", "viewer"] = "editor"


class MoveSession(Request):
    """The workspace to move a session to; null is one's own space."""

    workspace_id: str | None


class MemberView(msgspec.Struct, frozen=True, kw_only=True):
    """A person in a workspace."""

    id: str
    name: str
    email: str | None
    role: SpaceRole


class WorkspaceView(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace with its members. `role` is that of who asks."""

    id: str
    name: str
    role: SpaceRole
    members: list[MemberView]


class WorkspaceList(msgspec.Struct, frozen=True):
    """One's workspaces, by name."""

    workspaces: list[WorkspaceView]


class SpaceOf(msgspec.Struct, frozen=True):
    """The workspace of a session; null for one's own space."""

    workspace_id: str | None
