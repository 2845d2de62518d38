"""Routes of second factors: codes and passkeys at sign-in, and one's own."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response

from parley.api.contract import ANYONE, Routes
from parley.api.deps import App, CallerDep
from parley.features.accounts.factor_schemas import (
    AddPasskey,
    AnswerPasskey,
    ConfirmApp,
    Factors,
    NewApp,
    PasskeyOptions,
    Password,
    RecoveryCodes,
    SecondFactor,
)
from parley.features.accounts.factors import SecondFactors
from parley.features.accounts.logins import Logins
from parley.features.accounts.passkeys import Passkeys, Site
from parley.features.accounts.people import People
from parley.features.accounts.routes import BrowserDep, require_shared, signed_in
from parley.features.accounts.rules import Rules
from parley.features.accounts.schemas import Me
from parley.kernel.caller import Caller, Scope
from parley.kernel.parts import Parts
from parley.settings import Settings

entrance = Routes("/api/auth", tag="accounts", needs=ANYONE)
mine = Routes("/api/me", tag="accounts", needs=Scope.TALK, personal=True, audited=True)
everybody = Routes("/api/people", tag="accounts", needs=Scope.MANAGE)


async def site_of(request: Request, app: App) -> Site:
    """Return the site as the browser sees it; the guard knows the host."""
    host = request.headers.get("host", "")
    scheme = urlsplit(app[Settings].public_url or "http://").scheme
    return Site(urlsplit(f"//{host}").hostname or "", f"{scheme}://{host}")


SiteDep = Annotated[Site, Depends(site_of)]


@entrance.post(
    "/code",
    errors=("personal_mode", "wrong_code", "ticket_ended", "too_many_attempts"),
    example={"ticket": "from the answer to the password", "code": "123456"},
)
async def enter_code(body: SecondFactor, app: App, browser: BrowserDep) -> Me | Response:
    """Sign in with a code after the password; the answer sets the login's cookie."""
    require_shared(app)
    user_id = await app[SecondFactors].check(body.ticket, body.code)
    return await signed_in(app, await app[People].enter(user_id, browser))


@entrance.post("/passkey/options", errors=("personal_mode", "providers_only"))
async def passkey_options(app: App, site: SiteDep) -> PasskeyOptions:
    """Read the challenge for a passkey at sign-in."""
    require_shared(app)
    await app[Rules].check_passwords()
    return app[Passkeys].sign_in_options(site)


@entrance.post(
    "/passkey",
    errors=("personal_mode", "wrong_passkey", "ticket_ended", "providers_only"),
    example={"ticket": "from the options", "credential": {"id": "…"}},
)
async def enter_with_passkey(
    body: AnswerPasskey, app: App, site: SiteDep, browser: BrowserDep
) -> Me | Response:
    """Sign in with a passkey, without a password; the answer sets the login's cookie."""
    require_shared(app)
    await app[Rules].check_passwords()
    user_id = await app[Passkeys].check(body.ticket, body.credential, site)
    return await signed_in(app, await app[People].enter(user_id, browser))


@mine.get("/factors", adds_factor=True)
async def read_factors(app: App, caller: CallerDep) -> Factors:
    """List one's passkeys, and whether an app shows codes."""
    return await app[SecondFactors].read(caller)


@mine.post(
    "/app",
    adds_factor=True,
    errors=("wrong_password", "too_many_attempts", "factor_exists"),
    example={"password": "correct horse battery staple"},
    audited=False,
)
async def new_app(body: Password, app: App, caller: CallerDep) -> NewApp:
    """Make the secret of an app that shows codes. It counts once it is confirmed."""
    await app[People].confirm(caller, body.password.get_secret_value())
    return await app[SecondFactors].new_app(caller, await app[People].account_name(caller))


@mine.post(
    "/app/confirm",
    adds_factor=True,
    errors=("wrong_code", "factor_exists"),
    example={"code": "123456"},
)
async def confirm_app(body: ConfirmApp, app: App, caller: CallerDep) -> RecoveryCodes:
    """Let the app count; its codes are asked for from now on. Answers recovery codes, which are shown once."""
    codes = RecoveryCodes(await app[SecondFactors].confirm_app(caller, body.code))
    await _factor_added(app, caller)
    return codes


@mine.post(
    "/app/remove",
    errors=("wrong_password", "too_many_attempts"),
    example={"password": "correct horse battery staple"},
)
async def remove_app(body: Password, app: App, caller: CallerDep) -> None:
    """Remove the app and the recovery codes."""
    await app[People].confirm(caller, body.password.get_secret_value())
    await app[SecondFactors].remove_app(caller)


@mine.post(
    "/passkeys/options",
    adds_factor=True,
    errors=("wrong_password", "too_many_attempts", "factor_exists"),
    example={"password": "correct horse battery staple"},
    audited=False,
)
async def new_passkey_options(body: Password, app: App, caller: CallerDep, site: SiteDep) -> PasskeyOptions:
    """Read the challenge for a new passkey."""
    await app[People].confirm(caller, body.password.get_secret_value())
    account = await app[People].account_name(caller)
    return await app[Passkeys].registration(caller, account, account, site)


@mine.post(
    "/passkeys",
    adds_factor=True,
    errors=("ticket_ended",),
    example={"ticket": "from the options", "credential": {"id": "…"}, "name": "My phone"},
)
async def add_passkey(body: AddPasskey, app: App, caller: CallerDep, site: SiteDep) -> Factors:
    """Add the passkey that the browser has made."""
    await app[Passkeys].register(caller, body.ticket, body.credential, body.name, site)
    await _factor_added(app, caller)
    return await app[SecondFactors].read(caller)


@mine.delete("/passkeys/{passkey_id}")
async def remove_passkey(passkey_id: str, app: App, caller: CallerDep) -> None:
    """Remove a passkey."""
    await app[Passkeys].remove(caller, passkey_id)


@everybody.delete("/{person_id}/factors")
async def remove_factors(person_id: str, app: App) -> None:
    """Remove every factor of a person who has lost them; the password stays."""
    await app[SecondFactors].remove_all(person_id)


async def _factor_added(app: Parts, caller: Caller) -> None:
    """Let who had to add a factor do everything again, at once."""
    if caller.lacks_factor:
        await app[Logins].announce_changes([caller.author_id])
