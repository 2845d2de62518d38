"""Tests of how several answers agree."""

import random
import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.text.agreement.compare import Agreement, Pair, compare, consensus

A = "The Eiffel Tower is 330 m tall. It stands in Paris. Tickets are expensive."
B = "In Paris stands the tower. The Eiffel Tower is 324 m tall. I like cheese."
C = "The Eiffel Tower is 330 metres tall and was built in 1889."

FRAGMENTS = st.lists(
    st.sampled_from(
        ["The tower ", "is not ", "330 m ", "1,5 km ", "in 1889", ". ", "\n\n", "- ", "| a | 5 |\n", "```\n", "never ",
         "rises ", "falls ", "Paris", "! ", "山は高い。", "nicht ", "50 % ", "twelve ", "# "]
    ),
    max_size=25,
).map("".join)  # fmt: skip
ANSWERS = st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.one_of(FRAGMENTS, st.text(max_size=80)))


def kinds(agreement: Agreement, answers: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    return {
        seat: [(answers[seat][one.start : one.end], one.kind) for one in some]
        for seat, some in agreement.sentences.items()
    }


def test_sentences_are_marked_by_who_says_them_too() -> None:
    answers = {"a": A, "b": B, "c": C}
    assert kinds(compare(answers, families={}), answers) == {
        "a": [
            ("The Eiffel Tower is 330 m tall.", "number"),
            ("It stands in Paris.", "some"),
            ("Tickets are expensive.", "one"),
        ],
        "b": [
            ("In Paris stands the tower.", "some"),
            ("The Eiffel Tower is 324 m tall.", "number"),
            ("I like cheese.", "one"),
        ],
        "c": [("The Eiffel Tower is 330 metres tall and was built in 1889.", "number")],
    }


def test_a_sentence_that_a_seat_confirms_is_not_set_against_its_next_one() -> None:
    answers = {
        "a": "1. 10 % of 2,340 is 234.\n2. 7 % of 2,340 is 163.8.",
        "b": "10 % of 2,340 is 234, 7 % of 2,340 is 163.8.",
        "c": "10 % of 2,340 is 234, so far, so good;\n7 % of 2,340 is 163.8, as it should.",
    }
    marked = kinds(compare(answers, families={}), answers)
    assert not any(kind == "number" for some in marked.values() for _, kind in some), marked


def test_aligned_sentences_share_a_group() -> None:
    agreement = compare({"a": A, "b": B}, families={})
    assert agreement.sentences["a"][0].group == agreement.sentences["b"][1].group
    assert agreement.sentences["a"][1].group == agreement.sentences["b"][0].group
    assert agreement.sentences["a"][2].group is None


def test_the_dissent_of_an_arbiter_marks_what_it_names() -> None:
    answers = {"a": "Bees sleep at night. Honey never spoils.", "b": "Bees sleep at night. They dance."}
    plain = compare(answers, families={})
    assert [one.kind for one in plain.sentences["a"]] == ["all", "one"]
    judged = compare(answers, families={}, dissent="Member 1 alone claims that honey never spoils.")
    assert [one.kind for one in judged.sentences["a"]] == ["all", "disputed"]
    agreed = compare(answers, families={}, dissent="No dissent: all members agree that bees sleep at night.")
    assert agreed == plain


def test_a_silent_seat_takes_no_part() -> None:
    agreement = compare({"a": "Cats purr.", "b": " \n", "c": "Cats purr."}, families={"a": "x", "b": "x"})
    assert agreement.silent == ("b",)
    assert [(pair.left, pair.right) for pair in agreement.pairs] == [("a", "c")]
    assert agreement.sentences["a"][0].kind == "all"
    assert agreement.sentences["b"] == ()
    assert agreement.families == (("a", "b"),)


@pytest.mark.parametrize("answers", [{}, {"a": "Cats purr."}, {"a": "", "b": "Cats purr."}])
def test_one_answer_has_no_consensus(answers: dict[str, str]) -> None:
    agreement = compare(answers, families={})
    assert agreement.consensus is None
    assert agreement.pairs == ()
    assert {one.kind for some in agreement.sentences.values() for one in some} <= {"one"}


def test_a_family_has_one_voice() -> None:
    pairs = (Pair("a", "b", 1.0), Pair("a", "c", 0.4), Pair("b", "c", 0.4))
    assert consensus(pairs, {}) == pytest.approx(0.6)
    assert consensus(pairs, {"a": "x", "b": "x", "c": "y"}) == pytest.approx((0.25 + 0.2 + 0.2) / 1.25)
    assert consensus(pairs, {"a": "x", "b": "x", "c": "x"}) == pytest.approx(0.6)
    assert consensus(pairs, {"a": "", "b": "", "c": ""}) == pytest.approx(0.6)


def test_equal_answers_agree_wholly_and_denied_ones_not_at_all() -> None:
    assert compare({"a": A, "b": A}, families={}).consensus == 1.0
    assert compare({"a": "Rates will rise.", "b": "Rates will not rise."}, families={}).consensus == 0.0


def test_the_result_is_plain_json() -> None:
    encoded = msgspec.json.decode(msgspec.json.encode(compare({"a": A, "b": B}, families={})))
    assert encoded.keys() == {"consensus", "pairs", "families", "silent", "sentences"}
    assert encoded["sentences"]["a"][0].keys() == {"start", "end", "kind", "group"}


@settings(max_examples=60)
@given(ANSWERS, st.one_of(st.just(""), FRAGMENTS))
def test_any_texts_can_be_compared_whatever_the_order_of_seats(answers: dict[str, str], dissent: str) -> None:
    families = {"a": "x", "b": "x", "c": ""}
    agreement = compare(answers, families=families, dissent=dissent)
    assert compare(dict(reversed(answers.items())), families=families, dissent=dissent) == agreement
    assert agreement.consensus is None or 0.0 <= agreement.consensus <= 1.0
    assert agreement.sentences.keys() == answers.keys()
    for seat, some in agreement.sentences.items():
        end = 0
        for one in some:
            assert end <= one.start < one.end <= len(answers[seat])
            assert one.kind != "all" or one.group is not None
            end = one.end


def test_a_renamed_seat_changes_no_pair() -> None:
    first = compare({"a": A, "b": B, "c": C}, families={})
    other = compare({"c": A, "b": B, "a": C}, families={})
    assert sorted(pair.similarity for pair in first.pairs) == sorted(pair.similarity for pair in other.pairs)


HOSTILE = {
    "no space": "a" * 100_000,
    "one-word sentences": "Yes. " * 10_000,
    "one-word paragraphs": "Yes.\n\n" * 10_000,
    "one sentence again": "The water is 5 m deep. " * 4_000,
    "full stops": "." * 100_000 + "x",
    "full stops apart": ". " * 50_000,
    "fences": "```\n" * 25_000,
    "rows": "| a\n" * 25_000,
    "marks on lines": "_\n" * 50_000,
    "digits": "1" * 100_000,
    "digits and commas": "1," * 50_000,
    "digits and spaces": "1 " * 50_000,
    "number words": "two " * 25_000,
    "Han": "山。" * 50_000,
    "spaces": "a" + " " * 100_000 + "b",
    "negations": "not " * 25_000,
    "random": "".join(map(chr, random.Random(7).choices(range(32, 0x3000), k=100_000))),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion_to_its_length(name: str) -> None:
    """A loop inside a loop over 100,000 characters would take minutes; all of these take under two seconds."""
    text = HOSTILE[name]
    began = time.process_time()
    compare({"a": text, "b": text + " x", "c": text}, families={}, dissent=text)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("The total is 398 euros.", "The total is 390 euros.", "number"),
        ("The total is 1,500 euros.", "The total is 1500 euros.", "all"),
        ("The total is 3.50 euros.", "The total is 3,5 euros.", "all"),
        ("The total is 398 euros.", "The total is high in euros.", "all"),
        ("The total of 2 items is 398 euros.", "The total is 398 euros.", "all"),
    ],
)
def test_numbers_are_compared_by_their_digits(one: str, other: str, kind: str) -> None:
    sentences = compare({"a": one, "b": other}, families={}).sentences
    assert [it.kind for some in sentences.values() for it in some] == [kind] * 2


def test_a_sentence_and_its_denial_are_not_linked() -> None:
    answers = {"a": "Vitamin C prevents colds.", "b": "Vitamin C does not prevent colds."}
    assert [it.kind for some in compare(answers, families={}).sentences.values() for it in some] == [
        "one"
    ] * 2
