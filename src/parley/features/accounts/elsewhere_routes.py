"""Routes of sign-in with other providers' accounts."""

from urllib.parse import parse_qs, quote

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from parley.api.contract import ANYONE, Routes
from parley.api.deps import App, CallerDep
from parley.features.accounts.elsewhere import PENDING_S, SignInElsewhere
from parley.features.accounts.factor_routes import SiteDep
from parley.features.accounts.routes import BrowserDep, require_shared, signed_in
from parley.kernel.errors import Invalid, ParleyError
from parley.settings import Settings

routes = Routes("/api/auth/with", tag="accounts", needs=ANYONE)

STATE_COOKIE = "parley_state"
MOST_BYTES = 65_536


@routes.get("/{provider_id}", errors=("personal_mode",))
async def begin(provider_id: str, app: App, caller: CallerDep, site: SiteDep) -> Response:
    """Go to a provider to sign in, or to add its account to one's own."""
    require_shared(app)
    try:
        address, state = await app[SignInElsewhere].begin(caller, provider_id, _origin(app, site.origin))
    except ParleyError as error:
        return _back_to_page(error)
    response = RedirectResponse(address, 303)
    response.set_cookie(
        STATE_COOKIE,
        state,
        max_age=PENDING_S,
        path="/api/auth/with",
        httponly=True,
        samesite="lax",
        secure=(app[Settings].public_url or "").startswith("https://"),
    )
    return response


@routes.get("/{provider_id}/back", errors=("personal_mode",), from_elsewhere=True)
async def come_back(
    provider_id: str,
    request: Request,
    app: App,
    caller: CallerDep,
    browser: BrowserDep,
    code: str = "",
    state: str = "",
) -> Response:
    """Come back from a provider; sets the login's cookie and leads to the page."""
    require_shared(app)
    brought = request.cookies.get(STATE_COOKIE, "")
    try:
        token = await app[SignInElsewhere].finish(caller, provider_id, code, state, brought, browser)
    except ParleyError as error:
        return _back_to_page(error)
    response = await signed_in(app, token, RedirectResponse("/", 303))
    response.delete_cookie(STATE_COOKIE, path="/api/auth/with")
    return response


@routes.post(
    "/{provider_id}/logout",
    uploads=("application/x-www-form-urlencoded",),
    errors=("personal_mode", "identity_refused", "identity_unreachable"),
)
async def logged_out(provider_id: str, request: Request, app: App) -> None:
    """Take a provider's word that it has signed somebody out; their logins here end (back-channel logout)."""
    require_shared(app)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Invalid("body", "body: is larger than a logout token.")
    tokens = parse_qs(body.decode("ascii", "replace")).get("logout_token", [""])
    await app[SignInElsewhere].logged_out(provider_id, tokens[0])


def _origin(app: App, origin: str) -> str:
    return app[Settings].public_url or origin


def _back_to_page(error: ParleyError) -> Response:
    """Lead to the page, which says what went wrong."""
    words = quote(f"{error.title} {error.detail or ''}".strip(), safe="")
    return RedirectResponse(f"/#sign-in-failed={words}", 303)
