"""Rules of signing in: what administrators demand of everybody."""

from collections.abc import Sequence

from parley.features.accounts.factor_repository import FactorRepository
from parley.features.accounts.logins import Logins
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import SignInRules
from parley.features.accounts.tables import SignInRulesRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Forbidden
from parley.storage.database import Database, Transaction
from parley.wire.identity import IdentitySetting


class Rules:
    """Keeps the rules. Whoever turns one on must fulfil it, so that nobody locks themselves out."""

    def __init__(self, database: Database, logins: Logins, providers: Sequence[IdentitySetting]) -> None:
        self._database = database
        self._logins = logins
        self._issuers = {provider.address for provider in providers}

    async def read(self) -> SignInRules:
        """Return the rules. Without a provider in the settings, passwords are taken in any case."""
        row = await self._database.read(lambda it: AccountsRepository(it).rules())
        return SignInRules(
            second_factor=row.second_factor, providers_only=row.providers_only and bool(self._issuers)
        )

    async def check_passwords(self) -> None:
        """Raise Forbidden where people sign in with their provider alone."""
        if (await self.read()).providers_only:
            raise providers_only()

    async def change(self, caller: Caller, wanted: SignInRules) -> SignInRules:
        """Change the rules. Logins that don't fulfil them can only add a factor from now on. Raises Conflict."""

        def store(transaction: Transaction) -> list[str]:
            accounts = AccountsRepository(transaction)
            before = accounts.rules()
            if wanted.second_factor and not before.second_factor:
                _check_factor(transaction, caller)
            if wanted.providers_only and not before.providers_only:
                self._check_provider(accounts, caller)
            accounts.set_rules(SignInRulesRow(1, wanted.second_factor, wanted.providers_only))
            return [account.user_id for account in accounts.accounts()]

        people = await self._database.write(store)
        await self._logins.announce_changes(people)
        return await self.read()

    def _check_provider(self, accounts: AccountsRepository, caller: Caller) -> None:
        if not self._issuers & accounts.issuers(caller.author_id):
            raise Conflict(
                "You can't sign in with a provider yourself.",
                "Nothing was changed. Add one under Settings, Security first, or you would lock yourself out.",
                code="rule_not_met",
            )


def _check_factor(transaction: Transaction, caller: Caller) -> None:
    if not FactorRepository(transaction).has_factor(caller.author_id):
        raise Conflict(
            "You have no second factor yourself.",
            "Nothing was changed. Add a passkey or an app with codes under Settings, Security first.",
            code="rule_not_met",
        )


def providers_only() -> Forbidden:
    """Return the error of a password or passkey where people sign in with their provider alone."""
    return Forbidden(
        "People sign in with their provider here, not with a password or passkey.",
        "Nobody was signed in. An administrator without access to the provider runs “parley users reset-password” on "
        "the server.",
        code="providers_only",
    )
