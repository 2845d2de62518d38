"""Tests of the health of providers: what is shown of failures, and what blindness hides."""

from parley.engine.health import Health
from parley.kernel.errors import Overloaded, Rejected, Unreachable, UpstreamError


def refused() -> Unreachable:
    return Unreachable("Refused.", "Start it.", cause="connection refused")


def test_a_provider_is_ok_until_a_call_fails_and_again_once_it_answers() -> None:
    health = Health(lambda: 0.0)
    assert [it.state for it in health.read(["near", "far"])] == ["ok", "ok"]
    health.failed("near", refused(), 0)
    near, far = health.read(["near", "far"])
    assert (near.state, near.error, near.advice, far.state) == ("failing", "Refused.", "Start it.", "ok")
    health.answered("near")
    assert health.read(["near"])[0].state == "ok"


def test_a_pause_is_counted_down_and_the_first_failure_stays_the_beginning() -> None:
    now = 0.0
    health = Health(lambda: now)
    health.failed("near", refused(), 0)
    now = 60.0
    health.failed("near", Overloaded("503"), 30)
    (near,) = health.read(["near"])
    assert (near.state, near.error, near.retry_in_s) == ("paused", "503", 30)
    assert near.since == "1970-01-01T00:00:00+00:00"
    now = 95.0
    (near,) = health.read(["near"])
    assert (near.state, near.retry_in_s) == ("failing", None)


def test_a_rejected_request_and_a_refusal_of_the_breaker_are_not_the_provider_s_failure() -> None:
    health = Health(lambda: 0.0)
    health.failed("near", Rejected("no"), 0)
    health.failed("near", UpstreamError("paused", code="upstream_resting"), 20)
    assert health.read(["near"])[0].state == "ok"


def test_a_name_without_a_cause_leaves_the_title() -> None:
    error = Unreachable("Somewhere else.")
    error.name("near")
    assert (error.title, str(error)) == ("Somewhere else.", "Somewhere else.")


def test_a_failure_of_a_blind_turn_shows_only_once_its_match_is_void() -> None:
    health = Health(lambda: 0.0)
    for turn_id, void, state in (("stopped", False, "ok"), ("void", True, "failing")):
        health.hide(turn_id, "near", refused(), 0)
        assert health.read(["near"])[0].state == "ok"
        health.settle(turn_id, void=void)
        assert health.read(["near"])[0].state == state
