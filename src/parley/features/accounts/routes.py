"""Routes of accounts: sign in, one's own account, and everybody's."""

from typing import Annotated

from fastapi import Depends, Request, Response

from parley.api.acts import record
from parley.api.contract import ANYONE, Routes, as_response
from parley.api.deps import LOGIN_COOKIE, App, CallerDep, client_address
from parley.features.accounts.attempts import network_of
from parley.features.accounts.everybody import Everybody
from parley.features.accounts.factor_schemas import Ticketed
from parley.features.accounts.links import Links
from parley.features.accounts.logins import LASTS, Browser, Logins
from parley.features.accounts.people import People
from parley.features.accounts.rules import Rules
from parley.features.accounts.schemas import (
    ChangeMe,
    ChangePassword,
    ChangePerson,
    Confirm,
    IdentityProvider,
    Invite,
    LinkOffer,
    LinkView,
    LoginList,
    LookAtLink,
    Me,
    NewAccount,
    NewPerson,
    PeopleList,
    PersonView,
    RulesView,
    SignIn,
    SignInOptions,
    SignInRules,
    UseLink,
)
from parley.kernel.acts import Act
from parley.kernel.caller import Caller, Role, Scope
from parley.kernel.errors import Conflict, Forbidden
from parley.kernel.parts import Parts
from parley.settings import Settings

entrance = Routes("/api/auth", tag="accounts", needs=ANYONE)
mine = Routes("/api/me", tag="accounts", needs=Scope.TALK, personal=True, audited=True)
everybody = Routes("/api/people", tag="accounts", needs=Scope.MANAGE)


BROWSER_COOKIE = "parley_browser"
"""The cookie that proves that a browser has signed in before."""

YEAR_S = 31_536_000


async def browser_of(request: Request, app: App) -> Browser:
    """Return the browser that sends a request."""
    address = client_address(request, app[Settings].trusted_proxies)
    proof = request.cookies.get(BROWSER_COOKIE, "")
    return Browser(request.headers.get("user-agent", "")[:300], network_of(address), proof)


BrowserDep = Annotated[Browser, Depends(browser_of)]


# ── sign in ──────────────────────────────────────────────────────────────────────────────────────


@entrance.post(
    "/login",
    errors=("personal_mode", "wrong_password", "too_many_attempts", "providers_only"),
    example={"email": "ana@example.org", "password": "correct horse battery staple"},
)
async def sign_in(body: SignIn, app: App, browser: BrowserDep) -> Me | Ticketed | Response:
    """Sign in with an e-mail address and a password; the answer sets the login's cookie, or asks for a code."""
    require_shared(app)
    await app[Rules].check_passwords()
    entered = await app[People].sign_in(body, browser)
    return entered if isinstance(entered, Ticketed) else await signed_in(app, entered)


@entrance.post("/guest", errors=("personal_mode", "too_many_attempts", "guests_off"))
async def enter_as_guest(app: App, browser: BrowserDep) -> Me | Response:
    """Use Parley without an account, where that is allowed."""
    require_shared(app)
    if app[Settings].guests != "on":
        raise Forbidden("Parley can't be used without an account here.", "Sign in.", code="guests_off")
    return await signed_in(app, await app[People].enter_as_guest(browser))


@entrance.post(
    "/sign-up",
    errors=(
        "personal_mode",
        "sign_up_closed",
        "account_exists",
        "weak_password",
        "too_many_attempts",
        "providers_only",
    ),
    example={"name": "Ana Ruiz", "email": "ana@example.org", "password": "correct horse battery staple"},
)
async def sign_up(body: NewAccount, app: App, caller: CallerDep, browser: BrowserDep) -> Me | Response:
    """Make an account, where that is allowed without an invitation. A guest keeps what is theirs."""
    require_shared(app)
    if app[Settings].sign_up != "open":
        raise Forbidden(
            "Accounts are made by invitation here.",
            "Ask an administrator for an invitation.",
            code="sign_up_closed",
        )
    await app[Rules].check_passwords()
    return await signed_in(app, await app[People].sign_up(caller, body, Role.MEMBER, browser))


@entrance.post("/logout")
async def sign_out(app: App, caller: CallerDep) -> Response:
    """End the login of this browser."""
    if caller.login_id:
        await app[Logins].end(caller, caller.login_id)
    response = Response(status_code=204)
    response.delete_cookie(LOGIN_COOKIE, path="/")
    return response


@entrance.post(
    "/link",
    errors=("link_ended", "providers_only"),
    example={"token": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"},
)
async def look_at_link(body: LookAtLink, app: App) -> LinkOffer:
    """Read what a link is for."""
    return await app[Links].look(body.token)


@entrance.post(
    "/link/use",
    errors=("personal_mode", "link_ended", "account_exists", "weak_password", "no_account", "providers_only"),
    example={
        "token": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
        "name": "Jonas",
        "email": "jonas@example.org",
        "password": "correct horse battery staple",
    },
)
async def use_link(
    body: UseLink, app: App, caller: CallerDep, browser: BrowserDep
) -> Me | Ticketed | Response:
    """Accept an invitation, set a new password, or become the first administrator; then sign in, maybe with a code."""
    require_shared(app)
    entered = await app[Links].use(caller, body, browser)
    return entered if isinstance(entered, Ticketed) else await signed_in(app, entered)


# ── one's own account ────────────────────────────────────────────────────────────────────────────


@mine.get(needs=ANYONE)
async def read_me(app: App, caller: CallerDep) -> Me:
    """Read who asks, and how people come in here."""
    return await _me(app, caller)


@mine.patch(
    errors=("account_exists", "wrong_password", "too_many_attempts"),
    example={"name": "Ana"},
)
async def change_me(body: ChangeMe, app: App, caller: CallerDep) -> PersonView:
    """Change one's name or e-mail address."""
    return await app[People].change_me(caller, body)


@mine.post(
    "/account",
    needs=Scope.MANAGE,
    errors=("account_exists", "weak_password"),
    example={"name": "Ana Ruiz", "email": "ana@example.org", "password": "correct horse battery staple"},
)
async def give_account(body: NewAccount, app: App, caller: CallerDep) -> PersonView:
    """Give the owner of a personal installation an account, before it is shared."""
    return await app[People].give_account(caller, body)


@mine.put(
    "/password",
    errors=("wrong_password", "too_many_attempts", "weak_password"),
    example={"current": "the one until now", "password": "correct horse battery staple"},
)
async def change_password(body: ChangePassword, app: App, caller: CallerDep) -> None:
    """Set a new password. Every other login of this person ends."""
    await app[People].change_password(caller, body)


@mine.post(
    "/delete",
    errors=("wrong_password", "too_many_attempts", "last_administrator", "last_owner"),
    example={"password": "correct horse battery staple"},
)
async def delete_me(body: Confirm, app: App, caller: CallerDep) -> None:
    """Delete one's account with everything in it. Votes stay counted under a pseudonym, without their texts."""
    await app[People].delete_me(caller, body.password.get_secret_value())


@mine.get("/logins")
async def list_logins(app: App, caller: CallerDep) -> LoginList:
    """List the browsers where one is signed in."""
    return LoginList(list(await app[Logins].list(caller)))


@mine.delete("/logins/{login_id}")
async def end_login(login_id: str, app: App, caller: CallerDep) -> None:
    """Sign one of one's browsers out; its open streams end."""
    await app[Logins].end(caller, login_id)


@mine.delete("/logins")
async def end_other_logins(app: App, caller: CallerDep) -> None:
    """Sign every other browser of one's own out."""
    await app[Logins].end_others(caller)


# ── everybody ────────────────────────────────────────────────────────────────────────────────────


@everybody.get()
async def list_people(app: App) -> PeopleList:
    """List everybody, and the invitations that are open."""
    return PeopleList(await app[Everybody].list(), list(await app[Links].invitations()))


@everybody.post(
    errors=("account_exists", "weak_password"),
    example={"name": "Ana Ruiz", "email": "ana@example.org", "password": "correct horse battery staple"},
)
async def add_person(body: NewPerson, app: App) -> PersonView:
    """Make an account for somebody."""
    return await app[Everybody].add(body, Role(body.role))


@everybody.get("/rules")
async def read_rules(app: App) -> RulesView:
    """Read what is demanded of everybody who signs in."""
    return _rules_view(app, await app[Rules].read())


@everybody.put(
    "/rules",
    errors=("personal_mode", "rule_not_met"),
    example={"second_factor": True, "providers_only": False},
)
async def change_rules(body: SignInRules, app: App, caller: CallerDep) -> RulesView:
    """Demand a second factor, or signing in with a provider alone. Whoever turns it on must fulfil it."""
    require_shared(app)
    return _rules_view(app, await app[Rules].change(caller, body))


@everybody.patch(
    "/{person_id}",
    errors=("last_administrator", "no_account"),
    example={"role": "member"},
)
async def change_person(person_id: str, body: ChangePerson, app: App) -> PersonView:
    """Change a person's role, or disable or enable them. Their logins follow at once."""
    return await app[Everybody].change(person_id, body)


@everybody.post("/{person_id}/reset", errors=("no_account",))
async def reset_password(person_id: str, app: App, caller: CallerDep) -> LinkView:
    """Make a link with which a person sets a new password. It works once, for a day."""
    return await app[Links].reset(caller, person_id)


@everybody.post(
    "/invitations",
    example={"role": "member", "note": "Jonas", "days": 7},
)
async def invite(body: Invite, app: App, caller: CallerDep) -> LinkView:
    """Make an invitation, a link that works once. Its address is in this answer only."""
    return await app[Links].invite(caller, body)


@everybody.delete("/invitations/{link_id}")
async def revoke_invitation(link_id: str, app: App) -> None:
    """Revoke an invitation."""
    await app[Links].revoke(link_id)


# ── internals ────────────────────────────────────────────────────────────────────────────────────


def require_shared(app: Parts) -> None:
    """Raise Conflict in a personal installation."""
    if not app[Settings].is_shared:
        raise Conflict(
            "Nobody signs in to a personal installation.",
            "Nothing was changed. To let people in, run parley share and start Parley with PARLEY_MODE=shared.",
            code="personal_mode",
        )


def _rules_view(app: Parts, rules: SignInRules) -> RulesView:
    return RulesView(rules.second_factor, rules.providers_only, bool(app[Settings].sign_in_with))


async def _me(app: Parts, caller: Caller) -> Me:
    settings = app[Settings]
    password = not settings.is_shared or not (await app[Rules].read()).providers_only
    return Me(
        mode=settings.mode,
        person=await app[People].me(caller),
        may_manage=Scope.MANAGE in caller.scopes,
        lacks_factor=caller.lacks_factor,
        sign_in=SignInOptions(
            guests=settings.is_shared and settings.guests == "on",
            sign_up=settings.is_shared and settings.sign_up == "open" and password,
            password=password,
            providers=[
                IdentityProvider(it.id, it.name) for it in settings.sign_in_with if settings.is_shared
            ],
        ),
    )


async def signed_in(app: Parts, token: str, response: Response | None = None) -> Response:
    """Answer who is signed in now, or with another response, and set the login's cookie."""
    caller = await app[Logins].caller_of("page", token)
    if caller:
        act = Act(
            person_id=caller.author_id, name="Sign in", route="sign in", about={"role": caller.role.value}
        )
        await record(app, act)
    response = response or as_response(await _me(app, caller) if caller else None)
    cookies = [(LOGIN_COOKIE, token, round(LASTS.total_seconds()))]
    if caller and (proof := await app[People].proof_for(caller)):
        cookies.append((BROWSER_COOKIE, proof, YEAR_S))
    for name, value, seconds in cookies:
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            path="/",
            httponly=True,
            samesite="lax",
            secure=(app[Settings].public_url or "").startswith("https://"),
        )
    return response
