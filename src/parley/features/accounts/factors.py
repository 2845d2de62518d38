"""Second factors: apps that show codes (TOTP, RFC 6238), and recovery codes for when the app is lost."""

import asyncio
import hmac
import secrets
import time
from datetime import UTC, datetime
from typing import Protocol

from parley.features.accounts.attempts import Attempts
from parley.features.accounts.factor_repository import FactorRepository
from parley.features.accounts.factor_schemas import Factors, NewApp, PasskeyView
from parley.features.accounts.tables import CredentialRow
from parley.features.accounts.tokens import digest, same
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, ParleyError, Unknown
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

STEP_S = 30
RECOVERY_CODES = 10
TICKET_S = 300
ISSUER = "Parley"


class Seals(Protocol):
    """The installation's secret, which encrypts what the database must not show."""

    def seal(self, key: str, provider_id: str, base_url: str | None) -> bytes:
        """Return a text, encrypted for one place."""
        ...

    def open(self, sealed: bytes, provider_id: str, base_url: str | None) -> str:
        """Return the text."""
        ...


class SecondFactors:
    """Keeps people's apps and recovery codes, and checks their codes at sign-in."""

    def __init__(
        self, database: Database, clock: Clock, seals: Seals, attempts: Attempts, sealing: asyncio.Lock
    ) -> None:
        """`sealing` keeps a rotation of the installation's secret out."""
        self._database = database
        self._clock = clock
        self._seals = seals
        self._attempts = attempts
        self._sealing = sealing
        self._key = secrets.token_bytes(32)

    # ── at sign-in ───────────────────────────────────────────────────────────────────────────────

    async def is_needed(self, user_id: str) -> bool:
        """Return whether a person has an app whose code must follow the password."""
        return await self._database.read(lambda it: self.asks(it, user_id))

    @staticmethod
    def asks(transaction: Transaction, user_id: str) -> bool:
        """Return the same within a transaction."""
        factors = FactorRepository(transaction).all(user_id)
        return any(each.kind == "totp" and each.confirmed_at is not None for each in factors)

    def ticket(self, user_id: str) -> str:
        """Return a proof for five minutes that a person has given their password."""
        until = str(int(time.time()) + TICKET_S)
        return f"{user_id}.{until}.{self._signed(user_id, until)}"

    async def check(self, ticket: str, code: str) -> str:
        """Return whose ticket it is if the code is right: an app's, or a recovery code, which is used up.

        Raises Unknown, TooMany.
        """
        user_id = self._holder(ticket)
        await self._attempts.count(f"second factor of {user_id}", "", is_known=True)
        now = self._now()
        if not await self._database.write(lambda it: self._use(FactorRepository(it), user_id, code, now)):
            raise Unknown(
                "This code is not right.",
                "Nobody was signed in. Enter the code that the app shows now, or one of your recovery codes.",
                code="wrong_code",
            )
        return user_id

    def _use(self, factors: FactorRepository, user_id: str, code: str, now: datetime) -> bool:
        plain = "".join(code.split()).lower()
        app = factors.app(user_id)
        if app is not None and app.confirmed_at is not None and (step := self._step(app, plain)) is not None:
            factors.used(app, now, step)
            return True
        recovery = factors.with_key("recovery", _digest_of(user_id, plain))
        if recovery is None or recovery.used_at is not None:
            return False
        factors.used(recovery, now)
        return True

    def _step(self, app: CredentialRow, code: str) -> int | None:
        """Return the time step of a code that fits now and was not used; None if it doesn't."""
        from pyotp.totp import TOTP

        totp = TOTP(self._seals.open(app.secret or b"", f"totp:{app.user_id}", None))
        here = int(self._clock.now()) // STEP_S
        fits = [
            step
            for step in (here - 1, here, here + 1)
            if step > app.counter and same(totp.at(step * STEP_S), code)
        ]
        return fits[0] if fits else None

    def _holder(self, ticket: str) -> str:
        user_id, _, rest = ticket.partition(".")
        until, _, signature = rest.partition(".")
        if not same(self._signed(user_id, until), signature) or int(until) < time.time():
            raise Unknown(
                "Too much time has passed since you entered your password.",
                "Nobody was signed in. Enter it again.",
                code="ticket_ended",
            )
        return user_id

    def _signed(self, user_id: str, until: str) -> str:
        return hmac.new(self._key, f"{user_id}.{until}".encode("utf-8", "replace"), "sha256").hexdigest()

    # ── one's own ────────────────────────────────────────────────────────────────────────────────

    async def read(self, caller: Caller) -> Factors:
        """Return the caller's factors."""
        rows = await self._database.read(lambda it: FactorRepository(it).all(caller.author_id))
        return Factors(
            app=any(row.kind == "totp" and row.confirmed_at is not None for row in rows),
            recovery_codes_left=sum(row.kind == "recovery" and row.used_at is None for row in rows),
            passkeys=[
                PasskeyView(
                    id=row.id,
                    name=row.name,
                    created_at=row.created_at.isoformat(),
                    used_at=row.used_at.isoformat() if row.used_at else None,
                )
                for row in rows
                if row.kind == "passkey"
            ],
        )

    async def new_app(self, caller: Caller, account: str) -> NewApp:
        """Make the secret of an app; it counts once it has shown a code. Raises Conflict if there is one."""
        from pyotp import random_base32
        from pyotp.totp import TOTP

        secret = random_base32(32)

        def store(transaction: Transaction, sealed: bytes) -> None:
            factors = FactorRepository(transaction)
            known = factors.app(caller.author_id)
            if known is not None and known.confirmed_at is not None:
                raise Conflict(
                    "You have an app with codes already.",
                    "Nothing was changed. Remove it first.",
                    code="factor_exists",
                )
            factors.remove(caller.author_id, "totp")
            factors.add(self._row(caller, "totp", None, sealed))

        async with self._sealing:
            sealed = await asyncio.to_thread(self._seals.seal, secret, f"totp:{caller.author_id}", None)
            await self._database.write(lambda it: store(it, sealed))
        uri = TOTP(secret).provisioning_uri(name=account, issuer_name=ISSUER)
        return NewApp(secret=secret, uri=uri, picture=await asyncio.to_thread(_picture, uri))

    async def confirm_app(self, caller: Caller, code: str) -> list[str]:
        """Let an app count that has shown its first code; return new recovery codes. Raises Invalid, Conflict."""
        codes = [f"{secrets.token_hex(3)}-{secrets.token_hex(3)}" for _ in range(RECOVERY_CODES)]

        def store(transaction: Transaction) -> None:
            factors = FactorRepository(transaction)
            app = factors.app(caller.author_id)
            if app is None or app.confirmed_at is not None:
                raise Conflict("There is no app to confirm.", "Start anew.", code="factor_exists")
            step = self._step(app, "".join(code.split()))
            if step is None:
                raise Invalid(
                    "code",
                    "code: is not the one that the app shows now.",
                    "Check the clock of your device.",
                    code="wrong_code",
                )
            app.confirmed_at, app.counter = self._now(), step
            factors.update(app)
            factors.remove(caller.author_id, "recovery")
            factors.add(
                *(self._row(caller, "recovery", _digest_of(caller.author_id, each), None) for each in codes)
            )

        await self._database.write(store)
        return codes

    async def remove_app(self, caller: Caller) -> None:
        """Delete the caller's app and recovery codes."""
        await self._database.write(
            lambda it: FactorRepository(it).remove(caller.author_id, "totp", "recovery")
        )

    async def remove_all(self, user_id: str) -> None:
        """Delete every factor of a person, who has lost them."""
        await self._database.write(lambda it: FactorRepository(it).remove(user_id))

    def seal_again(self, transaction: Transaction) -> list[str]:
        """Seal every app's secret with the installation's next one; return the people whose app can't be read."""
        factors = FactorRepository(transaction)
        lost: list[str] = []
        for row in factors.of_kind("totp"):
            place = f"totp:{row.user_id}"
            try:
                row.secret = self._seals.seal(self._seals.open(row.secret or b"", place, None), place, None)
            except ParleyError:
                lost.append(row.user_id)
                continue
            factors.update(row)
        return lost

    def _row(self, caller: Caller, kind: str, key: str | None, secret: bytes | None) -> CredentialRow:
        return CredentialRow(
            id=random_id(),
            user_id=caller.author_id,
            kind=kind,
            name="",
            key=key,
            secret=secret,
            counter=0,
            created_at=self._now(),
            confirmed_at=None,
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _digest_of(user_id: str, code: str) -> str:
    return digest(f"{user_id} {code.replace('-', '')}")


def _picture(uri: str) -> str:
    """Return a QR code as SVG, black on white, as cameras need it."""
    import segno

    return str(segno.make(uri, error="m").svg_inline(scale=4, border=3, light="#fff", dark="#000"))
