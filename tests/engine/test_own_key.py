"""Tests of whose key opens a provider, and what its refusal concerns."""

import pytest

from parley.engine.breaker import Breakers
from parley.engine.own_key import KeyChoice, about_own_key, choose_key
from parley.kernel.calls import Call
from parley.kernel.errors import Overloaded, Rejected
from parley.kernel.models import Provider, Route

OPEN = Provider("lab", "openai", api_key="sk-installation", name="Lab")
CLOSED = Provider("lab", "openai", api_key="sk-installation", name="Lab", shared_key=False)


@pytest.mark.parametrize(
    ("space", "keys", "provider", "choice"),
    [
        ("ana", {}, OPEN, KeyChoice("installation", "", "sk-installation")),
        ("ana", {}, CLOSED, None),
        ("ana", {"ana": "sk-ana"}, OPEN, KeyChoice("person", "ana", "sk-ana")),
        ("team", {"ana": "sk-ana", "team": "sk-team"}, CLOSED, KeyChoice("person", "ana", "sk-ana")),
        ("team", {"team": "sk-team"}, OPEN, KeyChoice("workspace", "team", "sk-team")),
        ("team", {"jonas": "sk-jonas"}, OPEN, KeyChoice("installation", "", "sk-installation")),
        ("ana", {"team": "sk-team"}, CLOSED, None),
    ],
)
def test_ones_own_key_comes_before_the_workspaces_and_that_before_the_installations(
    space: str, keys: dict[str, str], provider: Provider, choice: KeyChoice | None
) -> None:
    assert choose_key("ana", space, provider, lambda holder, _: keys.get(holder)) == choice


def test_a_refused_own_key_is_named_as_such_and_another_error_as_it_is() -> None:
    call = Call(owner_id="ana", purpose="reply", model_id="m", messages=(), payer="person", payer_id="ana")
    refused = Rejected("The provider rejected the key.", "It says: no", code="upstream_key_rejected")
    named = about_own_key(refused, OPEN, call)
    assert (named.leaf_code, named.title) == ("own_key_refused", "Your key for Lab was refused.")
    busy = Overloaded("Busy.")
    assert about_own_key(busy, OPEN, call) is busy


def test_what_an_own_keys_account_refuses_pauses_nobody_else() -> None:
    breakers, route = Breakers(), Route("lab", "m")
    for now in range(5):
        breakers.of(route, "ana").failed(Overloaded("No credit left."), float(now), begun=False)
    assert breakers.of(route, "ana").is_open(5.0)
    assert not breakers.of(route).is_open(5.0)
    assert not breakers.of(route, "jonas").is_open(5.0)
    breakers.forget("lab")
    assert not breakers.of(route, "ana").is_open(5.0)
