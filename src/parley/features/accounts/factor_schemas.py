"""Requests and responses about second factors, validated."""

from typing import Annotated, Any

import msgspec
from pydantic import Field, SecretStr

from parley.features.accounts.schemas import PersonName
from parley.kernel.request import Request

Ticket = Annotated[str, Field(max_length=200)]
Code = Annotated[str, Field(max_length=40)]


class SecondFactor(Request):
    """A code after the password. `ticket` came with the answer to the password."""

    ticket: Ticket
    code: Code


class ConfirmApp(Request):
    """The first code of an app."""

    code: Code


class Password(Request):
    """One's own password, before a factor changes."""

    password: SecretStr


class AnswerPasskey(Request):
    """The browser's answer to a challenge, as JSON of WebAuthn."""

    ticket: Ticket
    credential: dict[str, Any]


class AddPasskey(AnswerPasskey):
    """A new passkey, and its name."""

    name: PersonName


class PasskeyOptions(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge: WebAuthn's options as JSON, and the ticket that comes back with the answer."""

    ticket: str
    options: dict[str, Any]


class PasskeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey."""

    id: str
    name: str
    created_at: str
    used_at: str | None


class Factors(msgspec.Struct, frozen=True, kw_only=True):
    """A person's factors besides the password. `app`: an app shows codes."""

    app: bool
    recovery_codes_left: int
    passkeys: list[PasskeyView]


class NewApp(msgspec.Struct, frozen=True, kw_only=True):
    """The secret of a new app: as text, as an address, and as a picture (SVG) for its camera."""

    secret: str
    uri: str
    picture: str


class RecoveryCodes(msgspec.Struct, frozen=True):
    """Codes that each sign in once when the app is lost. They are shown once."""

    codes: list[str]


class Ticketed(msgspec.Struct, frozen=True):
    """A proof that the password was right, for the request with the code."""

    ticket: str
