"""Use cases of sign-in at servers of tools: begin, come back, sign out; and the tokens that calls are made with."""

import asyncio
import base64
import binascii
import logging
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from parley.features.catalog.secrets import KeyLost, Secrets
from parley.features.tools.schemas import ExportedSignIn
from parley.features.tools.sign_in.repository import SignInRepository
from parley.features.tools.sources import SignInNeeded
from parley.features.tools.tables import ToolSignInRow
from parley.kernel.errors import Invalid, NotFound, ParleyError, Unavailable, Unknown
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.wire.tool_servers import TokenSource, ToolServerSetting
from parley.wire.tool_sign_in import Refused, ToolSignIn
from parley.wire.tool_tokens import Arrival, Journey, Tokens

log = logging.getLogger(__name__)

JOURNEY_S = 600
RENEW_EARLY_S = 30.0
RENEW_S = 60.0
LOOK_EVERY_S = 0.2
MOST_JOURNEY_CHARS = 3_800
"""A browser keeps cookies of up to 4,096 bytes."""


class _Baggage(msgspec.Struct, frozen=True):
    """A sign-in that is under way, as the browser carries it: encrypted for the person who began it."""

    journey: Journey
    back: str


class ToolSignIns:
    """Keeps who has signed in where. What is under way is kept by the browser alone, encrypted for its person."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        secrets: Secrets,
        sealing: asyncio.Lock,
        servers: Sequence[tuple[ToolServerSetting, ToolSignIn]],
    ) -> None:
        """`sealing` keeps a rotation of the installation's secret out."""
        self._database = database
        self._clock = clock
        self._secrets = secrets
        self._sealing = sealing
        self._servers: Mapping[str, tuple[ToolServerSetting, ToolSignIn]] = {
            setting.name: (setting, client) for setting, client in servers
        }

    # ── for people ───────────────────────────────────────────────────────────────────────────────

    async def begin(self, person_id: str, server: str, origin: str, back: str) -> tuple[str, str]:
        """Return the address to go to, and what the browser keeps until it comes back.

        Raises NotFound, Unknown, Unavailable.
        """
        setting, client = self._server(server)
        redirect_uri = f"{origin}/api/tools/servers/{server}/back"
        address, journey = await client.begin(redirect_uri, self._clock.now() + JOURNEY_S)
        packed = msgspec.json.encode(_Baggage(journey, back)).decode()
        sealed = await asyncio.to_thread(self._secrets.seal, packed, _journey(person_id, server), setting.url)
        baggage = base64.urlsafe_b64encode(sealed).decode()
        if len(baggage) > MOST_JOURNEY_CHARS:
            raise Invalid(
                "server",
                f"“{client.title}” describes itself with more than a browser can keep.",
                "Nobody was signed in. Name a client_id in the settings.",
                code="tool_sign_in_refused",
            )
        return address, baggage

    async def finish(self, person_id: str, server: str, arrival: Arrival, baggage: str) -> str:
        """Keep the tokens of who comes back; return where on the page they began.

        Raises NotFound, Unknown, Unavailable, KeyLost.
        """
        setting, client = self._server(server)
        carried = await asyncio.to_thread(self._unpacked, person_id, setting, baggage)
        if carried is None or carried.journey.until < self._clock.now():
            raise Unknown(
                f"This sign-in at “{client.title}” was not begun by you in this browser, or too long ago.",
                "Nobody was signed in. Begin again.",
                code="ticket_ended",
            )
        tokens = await client.finish(carried.journey, arrival)
        async with self._sealing:
            row = ToolSignInRow(
                person_id=person_id,
                server=server,
                id=random_id(),
                issuer=tokens.grantor.issuer[:300],
                sealed=await asyncio.to_thread(self._seal, person_id, setting, tokens),
                created_at=self._now(),
                renewing_until=None,
            )
            await self._database.write(lambda transaction: SignInRepository(transaction).put(row))
        return carried.back

    async def end(self, person_id: str, server: str) -> None:
        """Sign a person out: delete their tokens, and tell the authorization server. Raises NotFound."""
        setting, client = self._server(server)
        row = await self._read(person_id, server)
        removed = await self._database.write(lambda it: SignInRepository(it).remove(person_id, server))
        if row is None or not removed:
            raise NotFound(f"You are not signed in at “{client.title}”.", "You may have signed out already.")
        try:
            await client.revoke(await asyncio.to_thread(self._open, row, setting))
        except ParleyError as error:
            log.info(
                "The tokens of a sign-in at %s are deleted here, but not revoked there: %s", server, error
            )

    async def of(self, person_id: str) -> Mapping[str, ToolSignInRow]:
        """Return a person's sign-ins at servers that there are, by the server's name."""
        rows = await self._database.read(lambda it: SignInRepository(it).of(person_id))
        return {row.server: row for row in rows if row.server in self._servers}

    async def close(self) -> None:
        """Close every connection to authorization servers."""
        for _, client in self._servers.values():
            await client.close()

    # ── for calls ────────────────────────────────────────────────────────────────────────────────

    async def tokens_of(self, person_id: str, server: str) -> tuple[str, TokenSource] | None:
        """Return the id of a person's sign-in at a server and its tokens; None if they have not signed in."""
        row = await self._read(person_id, server)
        return None if row is None else (row.id, _OneSignIn(self, row))

    async def token(self, sign_in: ToolSignInRow, refused: str | None) -> str:
        """Return the token of a sign-in, renewed if it has expired or is the one that was refused.

        Raises SignInNeeded if the sign-in has ended, Unavailable.
        """
        setting, client = self._server(sign_in.server)
        ends = time.monotonic() + RENEW_S
        while time.monotonic() < ends:
            row = await self._read(sign_in.person_id, sign_in.server)
            if row is None or row.id != sign_in.id:
                raise SignInNeeded(client.title)
            try:
                tokens = await asyncio.to_thread(self._open, row, setting)
            except KeyLost:
                raise SignInNeeded(client.title) from None
            expires_at = tokens.expires_at
            is_over = expires_at is not None and expires_at - RENEW_EARLY_S < self._clock.now()
            if tokens.access != refused and not is_over:
                return tokens.access
            if await self._reserve(row):
                return (await self._renewed(row, setting, client, tokens)).access
            await asyncio.sleep(LOOK_EVERY_S)
        raise Unavailable(
            f"The sign-in at “{client.title}” is being renewed.", "Ask again.", code="tool_server_unreachable"
        )

    async def _reserve(self, row: ToolSignInRow) -> bool:
        now = self._now()
        until = now + timedelta(seconds=RENEW_S)
        return await self._database.write(lambda it: SignInRepository(it).reserve(row, now, until))

    async def _renewed(
        self, row: ToolSignInRow, setting: ToolServerSetting, client: ToolSignIn, tokens: Tokens
    ) -> Tokens:
        """Renew tokens that were reserved. A refused sign-in is deleted: only its person can begin it again."""
        try:
            fresh = await client.renew(tokens)
        except Refused:
            await self._database.write(
                lambda it: SignInRepository(it).remove(row.person_id, row.server, row.id)
            )
            raise SignInNeeded(client.title) from None
        except ParleyError:
            await self._database.write(lambda it: SignInRepository(it).renewed(row, row.sealed))
            raise
        async with self._sealing:
            sealed = await asyncio.to_thread(self._seal, row.person_id, setting, fresh)
            await self._database.write(lambda it: SignInRepository(it).renewed(row, sealed))
        return fresh

    # ── for data and rotation ────────────────────────────────────────────────────────────────────

    async def count(self, person_id: str) -> int:
        """Return how many sign-ins a person has."""
        return await self._database.read(lambda it: SignInRepository(it).count(person_id))

    async def export(self, person_id: str) -> Sequence[ExportedSignIn]:
        """Return that a person has signed in, without the tokens."""
        rows = await self._database.read(lambda it: SignInRepository(it).of(person_id))
        return [
            ExportedSignIn(server=row.server, issuer=row.issuer, created_at=row.created_at.isoformat())
            for row in rows
        ]

    async def erase(self, person_id: str) -> int:
        """Delete all sign-ins of a person; return how many there were."""
        return await self._database.write(lambda it: SignInRepository(it).remove(person_id))

    def seal_again(self, transaction: Transaction) -> list[str]:
        """Seal all tokens with the installation's next secret; return whose can't be read, with the server."""
        repository, lost = SignInRepository(transaction), list[str]()
        for row in repository.all():
            setting, _ = self._servers.get(row.server, (None, None))
            if setting is None:  # it has left the settings, and nothing can open its tokens afterwards
                repository.remove(row.person_id, row.server)
                continue
            try:
                tokens = self._open(row, setting)
            except KeyLost:
                lost.append(_place(row.person_id, row.server))
                continue
            row.sealed = self._seal(row.person_id, setting, tokens)
            repository.update(row)
        return lost

    # ── internals ────────────────────────────────────────────────────────────────────────────────

    async def _read(self, person_id: str, server: str) -> ToolSignInRow | None:
        return await self._database.read(lambda it: SignInRepository(it).find(person_id, server))

    def _server(self, name: str) -> tuple[ToolServerSetting, ToolSignIn]:
        known = self._servers.get(name)
        if known is None:
            raise NotFound("Nobody signs in at a server of this name.", "It may have left the settings.")
        return known

    def _seal(self, person_id: str, setting: ToolServerSetting, tokens: Tokens) -> bytes:
        packed = msgspec.json.encode(tokens).decode()
        return self._secrets.seal(packed, _place(person_id, setting.name), setting.url)

    def _open(self, row: ToolSignInRow, setting: ToolServerSetting) -> Tokens:
        packed = self._secrets.open(row.sealed, _place(row.person_id, row.server), setting.url)
        return msgspec.json.decode(packed, type=Tokens)

    def _unpacked(self, person_id: str, setting: ToolServerSetting, baggage: str) -> _Baggage | None:
        """Return what the browser carries; None if it is not what this person was given."""
        try:
            sealed = base64.urlsafe_b64decode(baggage.encode("ascii"))
            packed = self._secrets.open(sealed, _journey(person_id, setting.name), setting.url)
        except (KeyLost, ValueError, binascii.Error):
            return None
        return msgspec.json.decode(packed, type=_Baggage)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


class _OneSignIn:
    """Implements `TokenSource` for one sign-in: a later one of the same person has tokens of its own."""

    def __init__(self, sign_ins: ToolSignIns, row: ToolSignInRow) -> None:
        self._sign_ins = sign_ins
        self._row = row

    async def token(self, refused: str | None) -> str:
        """Return the token as it is now. Raises SignInNeeded, Unavailable."""
        return await self._sign_ins.token(self._row, refused)


def _place(person_id: str, server: str) -> str:
    return f"tool:{person_id}:{server}"


def _journey(person_id: str, server: str) -> str:
    return f"tool-journey:{person_id}:{server}"
