"""Accounts: who makes a request, how people sign in, and everybody's place."""

import logging
from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.hub import Hub
from parley.engine.open_streams import OpenStreams
from parley.features.accounts import elsewhere_routes, factor_routes, token_routes
from parley.features.accounts.access_tokens import AccessTokens
from parley.features.accounts.attempts import Attempts
from parley.features.accounts.elsewhere import SignInElsewhere
from parley.features.accounts.everybody import Everybody
from parley.features.accounts.factors import SecondFactors
from parley.features.accounts.links import Links
from parley.features.accounts.logins import Logins
from parley.features.accounts.passkeys import Passkeys
from parley.features.accounts.people import People
from parley.features.accounts.routes import entrance, everybody, mine
from parley.features.accounts.rules import Rules
from parley.features.accounts.service import AccountsService
from parley.features.accounts.tables import (
    AccountRow,
    CredentialRow,
    IdentityRow,
    LinkRow,
    LoginRow,
    MemberRow,
    RefreshTokenRow,
    SignInRulesRow,
    WorkspaceRow,
)
from parley.features.accounts.workspace_routes import spaces
from parley.features.accounts.workspaces import Workspaces
from parley.features.catalog.connections import outgoing_of
from parley.features.catalog.opening import secrets_of
from parley.features.catalog.providers import ProvidersService
from parley.features.data.service import DataService
from parley.features.feature import Feature, every
from parley.kernel.bus import Bus
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.command_key import make_command_key
from parley.storage.database import Database
from parley.wire.http import HttpClient, WireOptions
from parley.wire.identity import IdentityClient

log = logging.getLogger(__name__)

DAY_S = 86_400.0


def _build(parts: Parts) -> Sequence[object]:
    settings, database, clock = parts[Settings], parts[Database].patient(), parts[WallClock]
    logins = Logins(database, clock, parts[Bus], parts[OpenStreams])

    async def erase(caller: Caller) -> None:
        await parts[DataService].erase(caller)

    attempts, secrets = Attempts(), secrets_of(settings)
    factors = SecondFactors(database, clock, secrets, attempts, parts[ProvidersService].sealing)
    parts[ProvidersService].also_seal(factors.seal_again)
    people = People(database, clock, logins, erase, factors, attempts)
    rules = Rules(database, logins, settings.sign_in_with)
    links = Links(database, clock, people, logins, settings.people_url, rules)
    key = make_command_key(settings.data_dir) if settings.is_shared else ""
    tokens = AccessTokens(database, clock, logins, people, factors)
    service = AccountsService(
        database, clock, logins=logins if settings.is_shared else None, tokens=tokens, command_key=key
    )
    passkeys, workspaces = Passkeys(database, clock), Workspaces(database, clock, logins, parts[Hub])
    client = IdentityClient(_identity_http(settings))
    elsewhere = SignInElsewhere(database, clock, client, settings.sign_in_with, people, logins)
    everybody_service = Everybody(database, clock, people, logins)
    return (
        service,
        tokens,
        logins,
        people,
        everybody_service,
        links,
        rules,
        workspaces,
        factors,
        passkeys,
        client,
        elsewhere,
    )


def _identity_http(settings: Settings) -> HttpClient:
    """Return the client for identity providers; those on this computer are allowed by their exact address."""
    allowed = frozenset(it.address for it in settings.sign_in_with if it.address.startswith("http://"))
    options = WireOptions(
        allow_loopback=bool(allowed), allowed_origins=allowed, outgoing=outgoing_of(settings)
    )
    return HttpClient(options)


async def _start(parts: Parts) -> None:
    await parts[AccountsService].open()
    if not parts[Settings].is_shared:
        return
    url = await parts[Links].first_administrator(AccountsService.owner("inside"))
    if url is not None:
        log.warning(
            "Nobody can sign in yet. Open this link once, within a day, to become the administrator:\n\n  %s\n",
            url,
        )


FEATURE = Feature(
    name="accounts",
    tables=(
        AccountRow,
        LoginRow,
        RefreshTokenRow,
        LinkRow,
        CredentialRow,
        IdentityRow,
        SignInRulesRow,
        WorkspaceRow,
        MemberRow,
    ),
    needs=("catalog", "data"),
    build=_build,
    routes=(
        entrance,
        mine,
        spaces,
        everybody,
        factor_routes.entrance,
        factor_routes.mine,
        factor_routes.everybody,
        elsewhere_routes.routes,
        token_routes.routes,
    ),
    start=_start,
    stop=lambda parts: parts[IdentityClient].close(),
    background=(
        lambda parts: parts[Logins].listen(),
        every(DAY_S, lambda parts: parts[Logins].forget_expired(), "delete expired logins"),
    ),
)
