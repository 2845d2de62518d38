"""Tests of when a model whose key is refused leaves the pool: at once, or with the end of a blind match."""

import pytest

from parley.engine.breaker import Breakers
from parley.kernel.calls import Call
from parley.kernel.errors import Rejected
from parley.kernel.models import Route
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import SmallCatalog, heard, make_script, open_engine, until
from tests.fakes.virtual_loop import on_virtual_time

REFUSED = Rejected("The key is refused.", code="upstream_key_rejected")


@on_virtual_time
async def test_a_model_whose_key_is_refused_leaves_the_pool_at_once() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", REFUSED)
        ada = SmallCatalog().model("ada")
        await heard(engine.start(Chat(), make_script(Chat(), {"assistant": "ada"})).follow())
        assert engine.gateway.is_down(ada)


def test_a_refused_model_leaves_alone_and_a_refused_key_takes_all_models_of_its_provider() -> None:
    call = Call(owner_id="me", purpose="reply", model_id="ada", messages=(), turn_id="turn")
    for code, others_too in (("upstream_model_forbidden", False), ("upstream_key_rejected", True)):
        breakers, ada, bob = Breakers(), Route("near", "ada"), Route("near", "bob")
        breakers.exclude(ada, Rejected("Refused.", code=code), 1.0, call)
        assert (breakers.of(ada).is_open(2.0), breakers.of(bob).is_open(2.0)) == (True, others_too)
        breakers.of(bob).succeeded()
        assert (breakers.of(ada).is_open(2.0), breakers.of(bob).is_open(2.0)) == (True, False)


@on_virtual_time
async def test_a_void_match_has_changed_the_pool() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", REFUSED)
        engine.connector.says("bob", "An answer.")
        live = engine.start(Battle(), make_script(Battle(), {"left": "ada", "right": "bob"}))
        await until(live.finished.is_set)
        assert live.match.status == "void"
        assert engine.gateway.is_down(SmallCatalog().model("ada"))


@pytest.mark.parametrize("void", [False, True])
def test_a_blind_match_changes_the_pool_only_if_it_ends_void(void: bool) -> None:
    breakers, route = Breakers(), Route("near", "ada")
    call = Call(owner_id="me", purpose="reply", model_id="ada", messages=(), turn_id="turn", blind=True)
    breakers.exclude(route, REFUSED, 1.0, call)
    assert not breakers.of(route).is_open(2.0), "the match is not settled"
    breakers.settle("turn", 3.0, void=void)
    assert breakers.of(route).is_open(4.0) is void
    breakers.settle("turn", 5.0, void=True)
    assert breakers.of(route).is_open(6.0) is void
