"""Tests of servers that say how many slots they have: further calls wait in Parley, as under a limit that was set."""

import asyncio

import pytest

from parley.engine.served_slots import KNOWN_S
from parley.kernel.errors import Unreachable
from parley.kernel.models import Provider
from parley.testing import CannedConnector, Wait, make_model
from tests.fakes.gateways import GatewaySetting
from tests.fakes.virtual_loop import on_virtual_time


class Served(CannedConnector):
    """A server with slots: it answers so many questions at once, each for a second."""

    def __init__(self, *answers: int | Exception | None) -> None:
        super().__init__()
        self.says_slots = list(answers)
        self.times_asked = 0
        self.says("ada", Wait(1), "One.")

    async def slots(self) -> int | None:
        self.times_asked += 1
        answer = self.says_slots.pop(0) if len(self.says_slots) > 1 else self.says_slots[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def a_setting(connector: Served, **limits: int) -> GatewaySetting:
    near = Provider("near", "c", "http://127.0.0.1:8080/v1", **limits)  # pyright: ignore[reportArgumentType]
    setting = GatewaySetting(make_model("ada", "near"), providers=(near,), asks_servers=True)
    setting.connectors["near"] = connector
    return setting


async def at_once(setting: GatewaySetting, calls: int = 3) -> int:
    """Make calls and return how many ran at once."""
    await setting.gateway.served.learn()
    await asyncio.gather(*(setting.ask() for _ in range(calls)))
    connector = setting.at("near")
    most, connector.most_open = connector.most_open, 0
    return most


@pytest.mark.parametrize(("slots", "most"), [(1, 1), (2, 2), (None, 3)])
def test_a_server_is_asked_as_many_questions_at_once_as_it_has_slots(slots: int | None, most: int) -> None:
    @on_virtual_time
    async def whole() -> None:
        assert await at_once(a_setting(Served(slots))) == most

    whole()


@on_virtual_time
async def test_the_limit_that_a_person_set_wins() -> None:
    connector = Served(1)
    assert await at_once(a_setting(connector, max_concurrency=2)) == 2
    assert connector.times_asked == 0


@on_virtual_time
async def test_a_server_is_asked_once_and_again_when_it_may_have_been_started_anew() -> None:
    connector = Served(1, 4)
    setting = a_setting(connector)
    assert await at_once(setting) == 1
    assert await at_once(setting) == 1
    assert connector.times_asked == 1
    await asyncio.sleep(KNOWN_S)
    assert await at_once(setting) == 3


@on_virtual_time
async def test_a_server_that_is_off_limits_nothing_until_it_answers() -> None:
    setting = a_setting(Served(Unreachable("off"), 1))
    assert await at_once(setting) == 3
    await asyncio.sleep(10)
    assert await at_once(setting) == 1


@on_virtual_time
async def test_two_providers_at_one_server_share_its_slots() -> None:
    setting = GatewaySetting(
        make_model("ada", "near"),
        make_model("bob", "same"),
        providers=tuple(Provider(name, "c", "http://127.0.0.1:8080/v1") for name in ("near", "same")),
        asks_servers=True,
    )
    setting.connectors |= dict.fromkeys(("near", "same"), connector := Served(1))
    connector.says("bob", Wait(1), "One.")
    await setting.gateway.served.learn()
    await asyncio.gather(setting.ask("ada"), setting.ask("bob"))
    assert connector.most_open == 1


@on_virtual_time
async def test_the_wait_for_a_slot_is_neither_the_models_time_nor_within_its_timeout() -> None:
    setting = a_setting(Served(1))
    setting.at("near").answers["ada"].clear()
    setting.at("near").says("ada", Wait(70), "One.", Wait(1), "Two.")
    await setting.gateway.served.learn()
    results = await asyncio.gather(*(setting.ask() for _ in range(3)))
    assert [row.outcome for row in setting.recorded] == ["completed"] * 3
    assert {row.first_token_ms for row in setting.recorded} == {70_000}
    assert len(results) == 3
