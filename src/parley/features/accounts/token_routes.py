"""Routes for programs that sign in as a person: tokens, and their renewal."""

from parley.api.contract import ANYONE, Routes
from parley.api.deps import App
from parley.features.accounts.access_tokens import AccessTokens
from parley.features.accounts.routes import BrowserDep, require_shared
from parley.features.accounts.rules import Rules
from parley.features.accounts.schemas import ProgramSignIn, Refresh, Tokens

routes = Routes("/api/auth/token", tag="accounts", needs=ANYONE)


@routes.post(
    errors=("personal_mode", "wrong_password", "wrong_code", "too_many_attempts", "providers_only"),
    example={"email": "ana@example.org", "password": "correct horse battery staple"},
)
async def sign_in_program(body: ProgramSignIn, app: App, browser: BrowserDep) -> Tokens:
    """Sign a program in as a person. It sends `Authorization: Bearer …` with the access token; no cookie is set."""
    require_shared(app)
    await app[Rules].check_passwords()
    return await app[AccessTokens].sign_in(body, browser)


@routes.post(
    "/refresh",
    errors=("personal_mode", "token_ended"),
    example={"refresh_token": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"},
)
async def refresh_tokens(body: Refresh, app: App) -> Tokens:
    """Exchange a refresh token for new tokens. Each can be used once: a second use ends the login."""
    require_shared(app)
    return await app[AccessTokens].renew(body.refresh_token)
