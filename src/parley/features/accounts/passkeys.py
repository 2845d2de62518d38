"""Passkeys (WebAuthn): keys in a person's device that sign in without a password."""

import secrets
import time
from datetime import UTC, datetime
from typing import Any

import msgspec

from parley.features.accounts.factor_repository import FactorRepository
from parley.features.accounts.factor_schemas import PasskeyOptions
from parley.features.accounts.tables import CredentialRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound, Unknown
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

CHALLENGE_S = 300
MOST_CHALLENGES = 10_000
MOST_PASSKEYS = 20


class Site(msgspec.Struct, frozen=True):
    """The site that a passkey is for: the host, and the origin that its page has."""

    host: str
    origin: str


class _Challenge(msgspec.Struct, frozen=True):
    value: bytes
    user_id: str
    until: float


class Passkeys:
    """Registers passkeys and signs people in by them. A challenge is answered once, within five minutes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._challenges: dict[str, _Challenge] = {}

    async def registration(self, caller: Caller, account: str, name: str, site: Site) -> PasskeyOptions:
        """Return what the browser needs to make a passkey for the caller."""
        import webauthn
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        known = await self._of(caller.author_id)
        if len(known) >= MOST_PASSKEYS:
            raise Conflict(
                f"You have {MOST_PASSKEYS} passkeys, which is the limit.",
                "Nothing was saved. Remove one that you no longer use.",
                code="factor_exists",
            )
        ticket, challenge = self._challenge(caller.author_id)
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name="Parley",
            user_id=caller.author_id.encode(),
            user_name=account,
            user_display_name=name,
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(row.key or "")) for row in known
            ],
        )
        return PasskeyOptions(ticket=ticket, options=_decoded(webauthn.options_to_json(options)))

    async def register(
        self, caller: Caller, ticket: str, credential: dict[str, Any], name: str, site: Site
    ) -> None:
        """Store the passkey that the caller's browser has made. Raises Invalid."""
        import webauthn
        from webauthn.helpers import bytes_to_base64url
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = self._answered(ticket, caller.author_id)
        try:
            made = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError) as error:
            raise Invalid("credential", f"credential: is not a passkey for this site: {error}.") from None
        now = self._now()
        row = CredentialRow(
            id=random_id(),
            user_id=caller.author_id,
            kind="passkey",
            name=name,
            key=bytes_to_base64url(made.credential_id),
            secret=made.credential_public_key,
            counter=made.sign_count,
            created_at=now,
            confirmed_at=now,
        )
        await self._database.write(lambda it: FactorRepository(it).add(row))

    async def remove(self, caller: Caller, credential_id: str) -> None:
        """Delete one of the caller's passkeys. Raises NotFound."""
        if not await self._database.write(
            lambda it: FactorRepository(it).remove_one(caller.author_id, credential_id)
        ):
            raise NotFound("This passkey doesn't exist.", "It may have been removed.")

    def sign_in_options(self, site: Site) -> PasskeyOptions:
        """Return what a browser needs to sign somebody in by a passkey of theirs."""
        import webauthn
        from webauthn.helpers.structs import UserVerificationRequirement

        ticket, challenge = self._challenge("")
        options = webauthn.generate_authentication_options(
            rp_id=site.host, challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
        )
        return PasskeyOptions(ticket=ticket, options=_decoded(webauthn.options_to_json(options)))

    async def check(self, ticket: str, credential: dict[str, Any], site: Site) -> str:
        """Return whose passkey has answered the challenge. Raises Unknown."""
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        challenge, now = self._answered(ticket, ""), self._now()
        key = str(credential.get("id", ""))

        def store(transaction: Transaction) -> str:
            factors = FactorRepository(transaction)
            row = factors.with_key("passkey", key)
            if row is None:
                raise _refused()
            try:
                answer = webauthn.verify_authentication_response(
                    credential=credential,
                    expected_challenge=challenge,
                    expected_rp_id=site.host,
                    expected_origin=site.origin,
                    credential_public_key=row.secret or b"",
                    credential_current_sign_count=row.counter,
                    require_user_verification=True,
                )
            except (WebAuthnException, ValueError, KeyError, TypeError):
                raise _refused() from None
            factors.used(row, now, answer.new_sign_count)
            return row.user_id

        return await self._database.write(store)

    async def _of(self, user_id: str) -> list[CredentialRow]:
        rows = await self._database.read(lambda it: FactorRepository(it).all(user_id))
        return [row for row in rows if row.kind == "passkey"]

    def _challenge(self, user_id: str) -> tuple[str, bytes]:
        now = time.monotonic()
        if len(self._challenges) >= MOST_CHALLENGES:
            self._challenges = {key: it for key, it in self._challenges.items() if it.until > now}
        if len(self._challenges) >= MOST_CHALLENGES:
            del self._challenges[next(iter(self._challenges))]
        ticket, value = secrets.token_urlsafe(16), secrets.token_bytes(32)
        self._challenges[ticket] = _Challenge(value, user_id, now + CHALLENGE_S)
        return ticket, value

    def _answered(self, ticket: str, user_id: str) -> bytes:
        known = self._challenges.pop(ticket, None)
        if known is None or known.user_id != user_id or known.until < time.monotonic():
            raise Unknown(
                "Too much time has passed, or this was answered already.",
                "Nothing was changed. Try again.",
                code="ticket_ended",
            )
        return known.value

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _refused() -> Unknown:
    return Unknown(
        "This passkey is not known here.",
        "Nobody was signed in. Use another one, or sign in with your password.",
        code="wrong_passkey",
    )


def _decoded(options: str) -> dict[str, Any]:
    return msgspec.json.decode(options, type=dict[str, Any])
