"""Tokens of programs that sign in as a person: short JWTs, and the tokens that renew them, each good for one use."""

import time
from datetime import UTC, datetime
from secrets import token_bytes

from parley.features.accounts.factors import SecondFactors
from parley.features.accounts.logins import Browser, Logins
from parley.features.accounts.people import People
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import ProgramSignIn, Tokens
from parley.features.accounts.tables import RefreshTokenRow
from parley.features.accounts.tokens import digest, new_token
from parley.kernel.caller import Caller
from parley.kernel.errors import Unknown
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

LASTS_S = 600
"""The seconds that an access token is good for."""

ALGORITHM, KIND = "HS256", "at+jwt"
_HEADER = {"alg": ALGORITHM, "typ": KIND}


class AccessTokens:
    """Gives tokens for logins. The key that signs is this process's own: after a restart programs renew theirs."""

    def __init__(
        self, database: Database, clock: Clock, logins: Logins, people: People, factors: SecondFactors
    ) -> None:
        self._database = database
        self._clock = clock
        self._logins = logins
        self._people = people
        self._factors = factors
        self._key = token_bytes(32)

    async def sign_in(self, request: ProgramSignIn, program: Browser) -> Tokens:
        """Start a login of a program; return its tokens. Raises Unknown, TooMany."""
        user_id = await self._people.verify(request, program)
        if await self._factors.is_needed(user_id):
            if request.code is None:
                raise Unknown(
                    "This account has an app with codes.",
                    "Nobody was signed in. Send the code that the app shows now as “code” too.",
                    code="wrong_code",
                )
            await self._factors.check(self._factors.ticket(user_id), request.code)

        def store(transaction: Transaction) -> tuple[str, str]:
            login_id = random_id()
            # No browser has the cookie of this login.
            self._logins.start(transaction, user_id, program, login_id)
            return login_id, self._next(transaction, login_id)

        return self._tokens(*await self._database.write(store))

    async def renew(self, token: str) -> Tokens:
        """Return new tokens for one that renews; it can't be used again. If it was before, its login ends.

        Raises Unknown.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> tuple[str, str | None]:
            accounts = AccountsRepository(transaction)
            row = accounts.refresh_token(digest(token))
            login = accounts.login(row.login_id) if row else None
            account = accounts.account(login.user_id) if login else None
            if row is None or login is None or login.expires_at <= now or not account or account.disabled_at:
                raise _ended("It has ended, or it never was one.")
            if row.used_at is not None:
                accounts.end_logins(login.user_id, login.id)
                return login.id, None
            row.used_at = now
            accounts.update(row)
            return login.id, self._next(transaction, login.id)

        login_id, following = await self._database.write(store)
        if following is None:
            await self._logins.announce([login_id])
            raise _ended("It was used before, so somebody else may have it: this login was ended for both.")
        return self._tokens(login_id, following)

    async def caller_of(self, token: str, space_id: str) -> Caller | None:
        """Return the program that has an access token; None if it is none of ours, or its login has ended."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import OctKey

        try:
            decoded = jwt.decode(token, OctKey.import_key(self._key), algorithms=[ALGORITHM])
            jwt.JWTClaimsRegistry(sid={"essential": True}, exp={"essential": True}).validate(decoded.claims)
        except (JoseError, ValueError):
            return None
        if decoded.header.get("typ") != KIND:
            return None
        return await self._logins.caller_with(str(decoded.claims["sid"]), space_id)

    def _next(self, transaction: Transaction, login_id: str) -> str:
        token = new_token()
        AccountsRepository(transaction).add(RefreshTokenRow(digest(token), login_id))
        return token

    def _tokens(self, login_id: str, renews: str) -> Tokens:
        from joserfc import jwt
        from joserfc.jwk import OctKey

        claims = {"sid": login_id, "exp": int(time.time()) + LASTS_S}
        access = jwt.encode(_HEADER, claims, OctKey.import_key(self._key))
        return Tokens(access_token=access, refresh_token=renews, expires_in=LASTS_S)


def _ended(why: str) -> Unknown:
    return Unknown(
        "This refresh token can't be used.", f"{why} Nobody was signed in. Sign in again.", code="token_ended"
    )
