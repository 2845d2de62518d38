"""Tests of metering: what a reply took, measured or estimated."""

from parley.engine.metering import measure
from parley.engine.speech import Speech
from parley.kernel.connector import Usage
from parley.kernel.messages import Message
from parley.kernel.models import Prices
from parley.kernel.seats import Seat
from tests.fakes.canned import a_model

HEARD = (Message("system", "12345"), Message("user", "678"))


def a_speech() -> Speech:
    seat = Seat("s", "left", "left", "ada")
    return Speech(reply_id="r", seat=seat, path="", number=0, purpose="answer", attempt=1, now=100.0)


def test_without_usage_tokens_are_a_quarter_of_the_characters_and_marked_as_estimated() -> None:
    speech = a_speech()
    speech.say("reasoning", "12345678", 100.5)
    speech.say("text", "123456789", 101.0)
    speech.ended_at = 102.5
    metrics = measure(speech, HEARD, None, a_model("ada", prices=Prices(1.0, 10.0)))
    assert metrics.estimated
    assert (metrics.input_tokens, metrics.output_tokens, metrics.reasoning_tokens) == (2, 5, 2)
    assert (metrics.ttft_ms, metrics.duration_ms, metrics.tokens_per_second) == (500, 2500, 2.5)
    assert metrics.cost_micros == 52


def test_the_provider_s_own_count_wins() -> None:
    speech = a_speech()
    speech.say("text", "Hi", 101.0)
    speech.ended_at = 103.0
    metrics = measure(speech, HEARD, Usage(100, 50, 7), a_model("ada", prices=None))
    assert not metrics.estimated
    assert (metrics.input_tokens, metrics.output_tokens, metrics.reasoning_tokens) == (100, 50, 7)
    assert (metrics.tokens_per_second, metrics.cost_micros) == (25.0, None)


def test_a_model_that_said_nothing_has_no_first_token_and_no_speed() -> None:
    speech = a_speech()
    speech.ended_at = 104.0
    metrics = measure(speech, HEARD, None, None)
    assert (metrics.ttft_ms, metrics.duration_ms, metrics.tokens_per_second) == (None, 4000, None)
    assert (metrics.output_tokens, metrics.cost_micros) == (0, None)


def test_what_was_never_answered_has_taken_nothing_but_time() -> None:
    speech = a_speech()
    speech.ended_at = 104.0
    for prices in (Prices(1.0, 10.0), None):
        metrics = measure(speech, HEARD, None, a_model("ada", prices=prices), answered=False)
        assert (metrics.input_tokens, metrics.output_tokens, metrics.cost_micros) == (0, 0, 0)
        assert (metrics.estimated, metrics.duration_ms) == (False, 4000)
    counted = measure(speech, HEARD, Usage(9, 0), a_model("ada"), answered=False)
    assert counted.input_tokens == 9, "a provider's own count stands"


def test_an_answer_in_one_piece_has_no_speed() -> None:
    speech = a_speech()
    speech.say("text", "All at once.", 101.0)
    speech.ended_at = 101.0
    assert measure(speech, HEARD, None, None).tokens_per_second is None


def test_the_timeline_says_when_how_much_text_was_there() -> None:
    speech = a_speech()
    speech.say("reasoning", "Hm", 100.25)
    speech.say("text", "👩‍👩‍👧", 100.5)
    speech.say("text", "!", 101.0)
    assert speech.timeline.tolist() == [250, 0, 500, 5, 1000, 6]


def test_an_ensemble_says_what_it_took_and_has_no_speed() -> None:
    speech = a_speech()
    speech.say("reasoning", "Hm", 101.0)
    speech.say("text", "Hi", 103.0)
    speech.ended_at = 103.0
    ensemble = a_model("board-r1", kind="ensemble", routes=(), prices=None)
    metrics = measure(speech, HEARD, Usage(100, 50, cost_micros=12, estimated=True), ensemble)
    assert (metrics.cost_micros, metrics.estimated, metrics.tokens_per_second) == (12, True, None)
    assert measure(speech, HEARD, Usage(100, 50), ensemble).cost_micros is None
