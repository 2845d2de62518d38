"""Keys of one's own: whose key opens a provider for a call, and so who pays for it."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from parley.kernel.calls import Call, Payer
from parley.kernel.errors import NotFound, Rejected, UpstreamError
from parley.kernel.models import Model, Provider
from parley.kernel.ports import Catalog, Ensembles, OwnKeys

FOR_THE_INSTALLATION = frozenset({"categories"})
"""Purposes that nobody asked for: the installation pays, whoever's vote it is about."""

REFUSED = "own_key_refused"
NEEDED = "own_key_needed"


class KeyChoice(NamedTuple):
    """Whose key opens a provider. `holder_id` is the person or workspace, empty for the installation."""

    payer: Payer
    holder_id: str
    key: str | None


THE_INSTALLATIONS = KeyChoice("installation", "", None)

_ORDER: tuple[Payer, ...] = ("person", "workspace", "installation")


def choose_key(
    person_id: str, space_id: str, provider: Provider, key_of: Callable[[str, Provider], str | None]
) -> KeyChoice | None:
    """Return the key for a person in a space: their own, else the workspace's, else the installation's.

    None if there is neither, and people may not use the installation's.
    """
    if (key := key_of(person_id, provider)) is not None:
        return KeyChoice("person", person_id, key)
    if space_id != person_id and (key := key_of(space_id, provider)) is not None:
        return KeyChoice("workspace", space_id, key)
    return KeyChoice("installation", "", provider.api_key) if provider.shared_key else None


class Payments:
    """Decides who pays each call. Until keys are admitted, as in personal mode, the installation pays all."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._keys: OwnKeys | None = None

    def admit(self, keys: OwnKeys) -> None:
        """Let people's and workspaces' keys open providers from now on."""
        self._keys = keys

    def pay(self, call: Call, model: Model) -> tuple[Call, Model]:
        """Return a call with who pays it, and its model with the routes that they can open.

        One payer pays all of a call: after a failure no other provider is asked at somebody else's cost. Raises
        Rejected if nobody may pay.
        """
        if self._keys is None or not model.routes:
            return call, model
        choices = [(route, self._choice(call, route.provider)) for route in model.routes]
        payers = {choice.payer for _, choice in choices if choice is not None}
        payer = next((each for each in _ORDER if each in payers), None)
        if payer is None:
            raise self._needed(call, model)
        routes = tuple(route for route, choice in choices if choice is not None and choice.payer == payer)
        holder_id = next(it.holder_id for _, it in choices if it is not None and it.payer == payer)
        if payer != "installation":
            call = msgspec.structs.replace(call, payer=payer, payer_id=holder_id)
        return call, model if routes == model.routes else msgspec.structs.replace(model, routes=routes)

    def opened(self, provider: Provider, call: Call) -> Provider:
        """Return a provider with the key of who pays a call. Raises Rejected if that was removed meanwhile."""
        if call.payer == "installation" or self._keys is None:
            return provider
        key = self._keys.key_of(call.payer_id, provider)
        if key is None:
            raise Rejected(
                f"The key for {_name(provider)} was removed while the question waited.",
                "Nothing was sent. Ask again.",
                code=NEEDED,
            )
        return msgspec.structs.replace(provider, api_key=key, key_of=call.payer_id)

    def may_ask(
        self, model: Model, person_id: str, space_id: str, ensembles: Ensembles | None = None
    ) -> bool:
        """Return whether a key opens a model for a person in a space; of an ensemble, every seat's model."""
        if self._keys is None:
            return True
        if model.kind == "ensemble":
            try:
                seats = ensembles.seats(model.id) if ensembles else ()
                members = [self._catalog.model(seat.model_id) for seat in seats]
            except NotFound:
                return True  # asking it says what is missing
            return all(self.may_ask(each, person_id, space_id, ensembles) for each in members)
        if not model.routes:
            return True
        return any(self._chosen(route.provider, person_id, space_id) for route in model.routes)

    def _choice(self, call: Call, provider_id: str) -> KeyChoice | None:
        if call.purpose in FOR_THE_INSTALLATION:
            return THE_INSTALLATIONS
        return self._chosen(provider_id, call.author_id or call.owner_id, call.space_id or call.owner_id)

    def _chosen(self, provider_id: str, person_id: str, space_id: str) -> KeyChoice | None:
        try:
            provider = self._catalog.provider(provider_id)
        except NotFound:
            return THE_INSTALLATIONS  # asking says that it was removed
        return choose_key(person_id, space_id, provider, self._keys.key_of if self._keys else _nobodys)

    def _needed(self, call: Call, model: Model) -> Rejected:
        """Return the error of a call that nobody may pay; of a blind call it names nobody."""
        if call.blind:
            who = "One of the models"
        else:
            providers = [self._catalog.provider(route.provider) for route in model.routes]
            who = f"{model.name} at {' or '.join(dict.fromkeys(_name(each) for each in providers))}"
        return Rejected(
            f"{who} needs a provider key of your own.",
            "Nothing was sent. Add the key in Settings, Provider keys, or choose another model.",
            code=NEEDED,
        )


def about_own_key(error: UpstreamError, provider: Provider, call: Call) -> UpstreamError:
    """Return an error; one about a key of somebody's own says whose it is, and concerns nobody else."""
    if call.payer == "installation" or error.leaf_code != "upstream_key_rejected":
        return error
    whose = "Your key" if call.payer == "person" else "The workspace's key"
    where = "Settings, Provider keys" if call.payer == "person" else "Settings, Workspaces; an owner can"
    return Rejected(
        f"{whose} for {_name(provider)} was refused.",
        f"{error.detail or 'The provider gave no reason.'} Replace or remove it in {where}.",
        code=REFUSED,
    )


def is_of_own_key(error: UpstreamError) -> bool:
    """Return whether an error is about a key of somebody's own, which they should hear of before anything else."""
    return error.leaf_code in (REFUSED, NEEDED)


def _name(provider: Provider) -> str:
    return provider.name or provider.id


def _nobodys(_holder_id: str, _provider: Provider) -> None:
    return None
