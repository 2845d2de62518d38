"""Tests of when servers are looked for: once a minute, and once for all who ask meanwhile."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from parley.features.catalog.discovery import service
from parley.features.catalog.discovery.findings import DiscoveredServer
from parley.features.catalog.discovery.service import FRESH_S, DiscoveryService


class HandClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 1_000.0

    def now(self) -> float:
        return self.time


def nothing() -> Mapping[str, str]:
    return {}


async def test_many_requests_look_once_a_minute_and_one_anew_looks_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[float] = []
    clock = HandClock()

    async def discover(*_: object) -> Sequence[DiscoveredServer]:
        searches.append(clock.now())
        await asyncio.sleep(0)
        return ()

    monkeypatch.setattr(service, "discover_servers", discover)
    looking = DiscoveryService(nothing, clock)
    await asyncio.gather(*(looking.look(()) for _ in range(120)))
    assert len(searches) == 1
    clock.time += FRESH_S - 1
    await looking.look(())
    assert len(searches) == 1
    await looking.look((), anew=True)
    assert len(searches) == 2
    clock.time += FRESH_S + 1
    await asyncio.gather(*(looking.look(()) for _ in range(9)))
    assert len(searches) == 3
