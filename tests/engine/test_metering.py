"""Tests of metering: what a call takes, measured or estimated."""

from parley.engine.live_reply import LiveReply
from parley.engine.metering import Meter
from parley.kernel.connector import Delta, Finish, Usage
from parley.kernel.messages import Message
from parley.kernel.models import Prices
from parley.kernel.seats import Seat
from parley.testing import make_model

HEARD = (Message("system", "12345"), Message("user", "678"))


def a_meter() -> Meter:
    return Meter(100.0)


def test_without_usage_tokens_are_a_quarter_of_the_characters_and_marked_as_estimated() -> None:
    meter = a_meter()
    meter.take(Delta("reasoning", "12345678"), 100.5)
    meter.take(Delta("text", "123456789"), 101.0)
    metrics = meter.read(HEARD, make_model("ada", prices=Prices(1.0, 10.0)), 102.5)
    assert metrics.estimated
    assert (metrics.input_tokens, metrics.output_tokens, metrics.reasoning_tokens) == (2, 5, 2)
    assert (metrics.ttft_ms, metrics.duration_ms, metrics.tokens_per_second) == (500, 2500, 2.5)
    assert metrics.cost_micros == 52


def test_the_provider_s_own_count_wins() -> None:
    meter = a_meter()
    for chunk in (Usage(1, 1), Delta("text", "Hi"), Finish("stop"), Usage(100, 50, 7)):
        meter.take(chunk, 101.0)
    metrics = meter.read(HEARD, make_model("ada", prices=None), 103.0)
    assert not metrics.estimated
    assert (metrics.input_tokens, metrics.output_tokens, metrics.reasoning_tokens) == (100, 50, 7)
    assert (metrics.tokens_per_second, metrics.cost_micros) == (25.0, None)


def test_a_model_that_said_nothing_has_no_first_token_and_no_speed() -> None:
    meter = a_meter()
    meter.take(Finish("stop"), 101.0)
    metrics = meter.read(HEARD, None, 104.0)
    assert (metrics.ttft_ms, metrics.duration_ms, metrics.tokens_per_second) == (None, 4000, None)
    assert (metrics.output_tokens, metrics.cost_micros) == (0, None)


def test_what_was_never_answered_has_taken_nothing_but_time() -> None:
    meter = a_meter()
    for prices in (Prices(1.0, 10.0), None):
        metrics = meter.read(HEARD, make_model("ada", prices=prices), 104.0)
        assert (metrics.input_tokens, metrics.output_tokens, metrics.cost_micros) == (0, 0, 0)
        assert (metrics.estimated, metrics.duration_ms) == (False, 4000)
    meter.take(Usage(9, 0), 101.0)
    counted = meter.read(HEARD, make_model("ada"), 104.0)
    assert counted.input_tokens == 9, "a provider's own count stands"


def test_an_answer_in_one_piece_has_no_speed() -> None:
    meter = a_meter()
    meter.take(Delta("text", "All at once."), 101.0)
    assert meter.read(HEARD, None, 101.0).tokens_per_second is None


def test_the_timeline_says_when_how_much_text_was_there() -> None:
    seat = Seat("s", "left", "left", "ada")
    reply = LiveReply(
        reply_id="r", seat=seat, path="", number=0, purpose="answer", order=0, attempt=1, now=100.0
    )
    reply.append("reasoning", "Hm", 100.25)
    reply.append("text", "👩‍👩‍👧", 100.5)
    reply.append("text", "!", 101.0)
    assert reply.timeline.tolist() == [250, 0, 500, 5, 1000, 6]


def test_an_ensemble_says_what_it_took_and_has_no_speed() -> None:
    ensemble = make_model("board-r1", kind="ensemble", routes=(), prices=None)
    meter = a_meter()
    meter.take(Delta("reasoning", "Hm"), 101.0)
    meter.take(Delta("text", "Hi"), 103.0)
    meter.take(Usage(100, 50, cost_micros=12, estimated=True), 103.0)
    metrics = meter.read(HEARD, ensemble, 103.0)
    assert (metrics.cost_micros, metrics.estimated, metrics.tokens_per_second) == (12, True, None)
    meter.take(Usage(100, 50), 103.0)
    assert meter.read(HEARD, ensemble, 103.0).cost_micros is None
