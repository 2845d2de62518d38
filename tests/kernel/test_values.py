"""Tests of the kernel's small values: ids, errors, prices and events."""

import time
from typing import get_args

import msgspec
import pytest

from parley.kernel import events
from parley.kernel.errors import (
    Conflict,
    Garbled,
    Invalid,
    NotFound,
    Overloaded,
    ParleyError,
    Problem,
    Rejected,
    Unavailable,
    Unreachable,
    UpstreamError,
)
from parley.kernel.ids import ordered_id, random_id
from parley.kernel.models import Prices, Provider


def test_random_ids_are_of_one_length_and_tell_nothing() -> None:
    ids = {random_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(each) for each in ids} == {32}
    assert all(int(each, 16) >= 0 for each in ids)


def test_ordered_ids_are_uuids_of_version_seven() -> None:
    before = time.time_ns() // 1_000_000
    ids = [ordered_id() for _ in range(1000)]
    after = time.time_ns() // 1_000_000
    assert len(set(ids)) == 1000
    for each in ids:
        assert len(each) == 32
        assert before <= int(each[:12], 16) <= after
        assert each[12] == "7"
        assert each[16] in "89ab"
    assert [each[:12] for each in ids] == sorted(each[:12] for each in ids)


@pytest.mark.parametrize(
    ("prices", "tokens", "micros"),
    [
        (Prices(3.0, 15.0), (1000, 2000), 33_000),
        (Prices(0.15, 0.6), (1, 1), 1),
        (Prices(0.25, 0.25), (1, 1), 1),
        (Prices(0.1, 0.1), (1, 1), 0),
        (Prices(0.0, 0.0), (10**6, 10**6), 0),
    ],
)
def test_a_call_costs_whole_micro_dollars_rounded_half_up(
    prices: Prices, tokens: tuple[int, int], micros: int
) -> None:
    assert prices.cost_micros(*tokens) == micros


def test_a_key_is_in_no_repr() -> None:
    assert "hush" not in repr(Provider("p", "openai", "https://example.org", api_key="hush"))


def test_only_failures_that_may_pass_are_worth_another_try() -> None:
    assert {kind for kind in (Unreachable, Rejected, Overloaded, Garbled, UpstreamError) if kind.retry} == {
        Unreachable,
        Overloaded,
    }


def test_every_error_has_a_code_and_becomes_a_problem() -> None:
    leaves: list[ParleyError] = [
        NotFound("a"),
        Invalid("field", "a"),
        Conflict("a", code="taken"),
        Unavailable("a", code="busy", retry_after_s=3),
        Unreachable("a", code="dns"),
        Garbled("a", "Try again."),
    ]
    assert [error.problem.code for error in leaves] == [
        "not_found",
        "invalid_input",
        "taken",
        "busy",
        "dns",
        "upstream_garbled",
    ]
    assert msgspec.json.encode(leaves[0].problem) == b'{"code":"not_found","title":"a"}'
    assert leaves[-1].problem == Problem(code="upstream_garbled", title="a", detail="Try again.")


def test_kinds_are_unique_and_every_event_is_read_back_as_it_was() -> None:
    kinds = [events.event_tag(kind) for kind in get_args(events.TurnEvent)]
    assert len(set(kinds)) == len(kinds) == 18
    assert all(kind.count(".") == 1 for kind in kinds)
    delta = events.ReplyDelta(reply_id="r", attempt=1, channel="text", offset=0, end=2, text="é!")
    data = msgspec.json.encode(delta)
    assert msgspec.json.decode(data, type=events.TurnEvent) == delta
    assert msgspec.json.decode(data)["kind"] == "reply.delta"
