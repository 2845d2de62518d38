"""Tests of histories: what a seat's conversation is, whatever the turns before were."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from parley.kernel.history import Conclusion, EarlierReply, EarlierTurn, SeatTurns, converse
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import (
    INPUT_TYPES,
    INTERJECTED,
    AddInput,
    AskInput,
    ContinueInput,
    PromptInput,
    SkipInput,
    SteerInput,
    SynthesiseInput,
    TurnInput,
    input_type,
    seat_of,
    text_of,
)
from parley.kernel.messages import Message
from parley.kernel.messages import text_of as message_text

words = st.text("abc ", min_size=1).filter(str.strip)
seats = st.sampled_from(["a", "b"])
interjections = st.one_of(
    st.builds(SteerInput, words),
    st.builds(AddInput, words),
    st.builds(AskInput, seats, words),
    st.builds(SkipInput, st.none() | seats),
    st.builds(SynthesiseInput),
)
inputs = st.one_of(st.builds(PromptInput, words), st.builds(ContinueInput), interjections)


def said(seat: str, text: str, number: int = 0, **changes: Any) -> EarlierReply:
    reply = EarlierReply(seat=seat, round=number, purpose="answer", text=text, status="completed")
    return msgspec.structs.replace(reply, **changes)


def a_turn(given: TurnInput, *replies: EarlierReply, **more: Any) -> EarlierTurn:
    return EarlierTurn(index=0, input=given, status="completed", replies=replies, **more)


def interjected(*inputs: TurnInput) -> tuple[Interjection, ...]:
    return tuple(
        Interjection(id=str(place), input=each, round=1, created_at="") for place, each in enumerate(inputs)
    )


@st.composite
def turns(draw: st.DrawFn) -> list[EarlierTurn]:
    made: list[EarlierTurn] = []
    for number in range(draw(st.integers(0, 6))):
        first = draw(st.builds(PromptInput, words)) if number == 0 else draw(inputs)
        replies = [
            said(seat, f"{seat} in {number}.{each}", each)
            for seat in "ab"
            for each in range(draw(st.integers(0, 2)))
        ]
        heard = interjected(*draw(st.lists(interjections, max_size=2)))
        made.append(a_turn(first, *replies, heard=heard))
    return made


@given(turns(), inputs)
def test_no_answer_is_lost_and_roles_alternate_beginning_with_the_person(
    earlier: list[EarlierTurn], now: TurnInput
) -> None:
    talk = converse([SeatTurns("a", earlier)], "a", now)
    roles = [message.role for message in talk.messages]
    assert roles == ["user", "assistant"] * (len(roles) // 2)
    answers = [kept.text for turn in earlier if (kept := turn.conclusion_of("a")) is not None]
    assert [message.content for message in talk.messages if message.role == "assistant"] == answers
    assert all(message.content for message in talk.messages)


@given(turns(), inputs)
def test_all_that_was_said_to_a_seat_is_in_its_conversation_unless_a_new_question_left_it_behind(
    earlier: list[EarlierTurn], now: TurnInput
) -> None:
    talk = converse([SeatTurns("a", earlier)], "a", now)
    sent = "\n".join([*(message_text(message) for message in talk.messages), *talk.unanswered])
    question = max(
        (place for place, turn in enumerate(earlier) if isinstance(turn.input, PromptInput)), default=0
    )
    since = [] if isinstance(now, PromptInput) else earlier[question:]
    given = [each for turn in since for each in (turn.input, *(said.input for said in turn.heard))]
    for each in (*given, now):
        other = isinstance(each, AskInput) and each.seat == "b"
        assert other or text_of(each) in sent


@given(turns(), turns(), inputs)
def test_a_match_that_carries_another_on_begins_with_that_seat_s_conversation(
    before: list[EarlierTurn], after: list[EarlierTurn], now: TurnInput
) -> None:
    whole = converse([SeatTurns("b", before), SeatTurns("a", after)], "a", now)
    first = converse([SeatTurns("b", before)], "b", PromptInput("x")).messages
    assert whole.messages[: len(first)] == first
    if after:
        assert whole.messages[len(first) :] == converse([SeatTurns("a", after)], "a", now).messages


def test_two_turns_that_go_on_both_keep_their_answers() -> None:
    earlier = [
        a_turn(PromptInput("Why?"), said("a", "One.")),
        a_turn(ContinueInput(), said("a", "Two.")),
        a_turn(SteerInput("Be brief."), said("b", "Not a.")),
        a_turn(ContinueInput(), said("a", "Three.")),
    ]
    talk = converse([SeatTurns("a", earlier)], "a", ContinueInput())
    assert talk.messages == (
        Message("user", "Why?"),
        Message("assistant", "One."),
        Message("user", "Continue."),
        Message("assistant", "Two."),
        Message("user", "Be brief."),
        Message("assistant", "Three."),
    )
    assert talk.unanswered == ()


def test_a_conclusion_that_revises_takes_the_place_of_all_answers_to_its_question() -> None:
    kept = {"a": Conclusion("At last.", revises=True)}
    earlier = [
        a_turn(PromptInput("Before?"), said("a", "Stays.")),
        a_turn(PromptInput("Why?"), said("a", "One.")),
        a_turn(AddInput("And how?"), said("a", "Two.")),
        a_turn(ContinueInput(), said("a", "<x>"), concluded=kept),
    ]
    texts = [
        message.content for message in converse([SeatTurns("a", earlier)], "a", ContinueInput()).messages
    ]
    assert texts == ["Before?", "Stays.", "Why?\n\nAnd how?", "At last."]


def test_who_gave_no_answer_is_asked_the_question_that_stands_with_what_was_added() -> None:
    earlier = [
        a_turn(PromptInput("Gone."), said("a", "Half", status="incomplete")),
        a_turn(
            PromptInput("Why?"), said("a", "No", status="failed"), heard=interjected(AddInput("And how?"))
        ),
    ]
    assert converse([SeatTurns("a", earlier)], "a", SteerInput("Briefly.")).unanswered == (
        "Why?",
        "And how?",
        "Briefly.",
    )
    assert converse([SeatTurns("a", earlier)], "a", PromptInput("New?")).unanswered == ("New?",)


def test_of_a_turn_its_last_round_is_kept_and_in_it_the_answer() -> None:
    replies = [
        said("a", "Draft.", 1),
        said("a", "2 > 1", 2, purpose="ranking"),
        said("a", "Final.", 2),
        said("a", "Broken", 3, status="failed"),
    ]
    turn = a_turn(PromptInput("Why?"), *replies)
    assert (turn.conclusion_of("a"), turn.round) == (Conclusion("Final."), 3)
    assert turn.conclusion_of("b") is None


def test_every_input_tells_its_type_its_words_and_its_seat() -> None:
    all_of_them: list[TurnInput] = [
        PromptInput("p"),
        ContinueInput(),
        SteerInput("s"),
        AddInput("d"),
        AskInput("a", "k"),
        SkipInput("b"),
        SynthesiseInput(),
    ]
    assert tuple(map(input_type, all_of_them)) == INPUT_TYPES
    assert "".join(map(text_of, all_of_them)) == "psdk"
    assert [seat_of(each) for each in all_of_them if seat_of(each)] == ["a", "b"]
    assert frozenset(INPUT_TYPES) - {"prompt", "continue"} == INTERJECTED
    for each in all_of_them:
        assert msgspec.convert(msgspec.to_builtins(each), TurnInput) == each
