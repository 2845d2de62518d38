"""The demo's characters as members and arbiters: they differ, give reasons way, and come to an end."""

import random
import re

import pytest

from parley.connectors.demo.cadence import moments, pieces_of
from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.connector import pace_of
from parley.connectors.demo.performer import perform
from parley.kernel.messages import Message
from tests.unit.connectors.consortium_rounds import (
    RANKING,
    arbiter_messages,
    first_messages,
    inner,
    iteration_message,
    judge,
    play,
    responses,
)

DECISIONS = [
    "Should I rent or buy a flat?",
    "Should we rewrite our backend in Rust or keep Python?",
    "Tabs or spaces?",
    "Is it worth learning Esperanto?",
    "Should our company introduce a four-day week?",
    "Microservices or a monolith for a new product?",
    "Soll ich eine Wohnung mieten oder kaufen?",
    "Soll unser Unternehmen die Vier-Tage-Woche einführen?",
    "Dois-je louer ou acheter un appartement ?",
]
OPEN = [
    "What should a small team decide first when moving a website to a new host?",
    "How do I prepare for a marathon?",
    "How can we reduce meeting time?",
    "How do I learn Spanish quickly?",
    "How can I sleep better?",
    "How should I prepare a presentation?",
    "Plan a 3-day trip to Rome",
    "How do I fix a leaking tap?",
    "What are the key considerations for AGI safety?",
    "Why do cats purr?",
    "Explain Byzantine coinage",
    "Is nuclear power good?",
    "Wie bereite ich mich auf einen Marathon vor?",
    "Wie lerne ich am besten Französisch?",
    "Erkläre, warum der Himmel blau ist",
    "Pourquoi le ciel est-il bleu ?",
    "Comment réduire le temps des réunions dans notre équipe ?",
    "Explique la photosynthèse",
]
LOOKED_UP = [
    "What is a p-value?",
    "Explain recursion",
    "Median vs mean?",
    "Binary search in Python",
    "How do I center a div?",
    "What is the capital of Australia?",
]
MADE = ["Write a haiku about autumn rain", "Give me 5 name ideas for a bakery"]
SUMS = {
    "What is 17*23?": "391",
    "What is 18% of 245 + 12?": "56.1",
    "convert 10 miles to km": "16.09344 km",
    "Wie viel ist 17 mal 23?": "391",
    "Combien font 17 fois 23 ?": "391",
}
EXACT = ("demo-ada", "demo-tilo", "demo-vera")


@pytest.mark.parametrize("prompt", [*DECISIONS, *OPEN])
def test_members_differ_at_first_and_settle_in_two_or_three_rounds(prompt: str) -> None:
    rounds = play(prompt)
    assert rounds[0].consensus < 0.7
    assert rounds[0].verdict.needs_iteration
    assert rounds[0].verdict.areas
    assert len(rounds) >= 2
    assert rounds[-1].is_settled
    assert rounds[-1].consensus > rounds[0].consensus + 0.1
    assert [r.verdict.confidence for r in rounds] == sorted(r.verdict.confidence for r in rounds)
    for before, after in zip(rounds[0].confidences, rounds[-1].confidences, strict=True):
        assert after > before


@pytest.mark.parametrize("prompt", [*DECISIONS[:4], *OPEN[:4], *LOOKED_UP, *MADE])
def test_other_characters_settle_too(prompt: str) -> None:
    rounds = play(prompt, ("demo-lyra", "demo-maieu", "demo-tilo", "demo-echo"), "demo-vera")
    assert rounds[-1].is_settled
    assert rounds[-1].verdict.confidence > 0.8 - 1e-9


@pytest.mark.parametrize("prompt", DECISIONS)
def test_a_decision_ends_with_one_side(prompt: str) -> None:
    rounds = play(prompt)
    leads = [re.split(r"\*\*|:", answer.removeprefix("**"))[0] for answer in rounds[0].answers]
    assert len(set(leads)) > 1
    assert rounds[0].verdict.dissent
    marker = re.compile(r"I lean towards|Ich neige z|Je penche pour")
    assert len(marker.findall(rounds[-1].verdict.synthesis)) == 1
    assert all(len(marker.findall(answer)) == 1 for answer in rounds[-1].answers)


@pytest.mark.parametrize(("prompt", "result"), SUMS.items())
def test_a_sum_on_which_all_agree_settles_at_once(prompt: str, result: str) -> None:
    rounds = play(prompt, EXACT)
    assert len(rounds) == 1
    assert rounds[0].is_settled
    assert result in rounds[0].verdict.synthesis
    assert not rounds[0].verdict.dissent


@pytest.mark.parametrize(("prompt", "result"), SUMS.items())
def test_a_rounded_number_is_asked_about_and_computed_again(prompt: str, result: str) -> None:
    first, second = play(prompt, ("demo-ada", "demo-pico", "demo-vera"))
    assert result not in first.answers[1]
    assert "Member 2" in first.verdict.dissent or "2:" in first.verdict.dissent
    assert result.split(maxsplit=1)[0] in first.verdict.areas[0]
    assert all(result in answer.replace("*", "") for answer in second.answers)
    assert second.is_settled


def test_a_computed_result_is_not_given_up_for_a_synthesis_that_is_wrong() -> None:
    talk = first_messages("What is 17*23?")
    reply = perform(CHARACTERS["demo-ada"], talk, 1).text
    again = iteration_message("What is 17*23?", "17 × 23 = 401.", ["Is 391 right, or 401?"])
    later = perform(CHARACTERS["demo-ada"], [*talk, Message("assistant", reply), again], 2).text
    assert "391" in inner(later, "answer")
    assert "401" not in inner(later, "answer")


@pytest.mark.parametrize("prompt", [*LOOKED_UP, *MADE])
def test_what_was_looked_up_or_made_settles(prompt: str) -> None:
    rounds = play(prompt)
    assert rounds[-1].is_settled
    assert rounds[-1].consensus >= rounds[0].consensus


def test_a_made_text_stays_whole() -> None:
    first, second = play("Write a haiku about autumn rain")
    blocks = [[line for line in answer.splitlines() if line.startswith(">")] for answer in first.answers]
    assert len({tuple(block) for block in blocks}) == 3
    chosen = [line for line in first.verdict.synthesis.splitlines() if line.startswith(">")]
    assert chosen in blocks
    assert all("\n".join(chosen) in answer for answer in second.answers)


def test_an_area_is_taken_up_with_a_sentence_of_its_own() -> None:
    prompt = "How can we reduce meeting time?"
    talk = first_messages(prompt)
    reply = perform(CHARACTERS["demo-vera"], talk, 1).text
    again = iteration_message(prompt, "Cut the number of people.", ["People: who has to be asked?"])
    later = perform(CHARACTERS["demo-vera"], [*talk, Message("assistant", reply), again], 2).text
    assert "Ask the people who will bear it" in inner(later, "answer")
    assert "I add what I have on it" in inner(later, "thought_process")
    assert float(inner(later, "confidence")) > float(inner(reply, "confidence"))


def test_where_it_has_nothing_to_add_a_member_says_so_and_is_less_sure() -> None:
    prompt = "What is a p-value?"
    talk = first_messages(prompt)
    reply = perform(CHARACTERS["demo-pico"], talk, 1).text
    sure: list[float] = []
    for area in ("Tell of the xylophone.", "Give an example."):
        again = iteration_message(prompt, inner(reply, "answer"), [area])
        later = perform(CHARACTERS["demo-pico"], [*talk, Message("assistant", reply), again], 2).text
        assert ("nothing of my own" in later) is ("xylophone" in area)
        sure.append(float(inner(later, "confidence")))
    assert sure[0] < sure[1]


def test_a_sceptic_is_less_sure_and_a_sum_is_surer_than_a_rule_of_thumb() -> None:
    opened, summed = play("How can I sleep better?")[0], play("What is 17*23?")[0]
    assert opened.confidences[2] < min(opened.confidences[:2])
    assert min(summed.confidences) > max(opened.confidences)


def test_a_member_that_knows_nothing_of_it_says_so_in_thought_and_answer() -> None:
    first = play("Explain Byzantine coinage")[0]
    assert all("knowledge" in inner(reply, "thought_process") for reply in first.replies)
    assert all("no knowledge" in answer.lower() for answer in first.answers)
    assert "No member knows the subject itself" in first.verdict.text


def test_a_role_moves_what_a_member_puts_first() -> None:
    prompt = "How can we reduce meeting time?"
    plain = perform(CHARACTERS["demo-tilo"], first_messages(prompt), 1).text
    advocate = perform(
        CHARACTERS["demo-tilo"], first_messages(prompt, "Devil's advocate: assume it is wrong"), 1
    ).text
    assert "which sign would make you stop" in advocate
    assert "which sign would make you stop" not in plain


@pytest.mark.parametrize("arbiter", CHARACTERS)
def test_a_verdict_has_all_its_elements(arbiter: str) -> None:
    verdict = play("Should I rent or buy a flat?", arbiter=arbiter)[0].verdict
    tags = (
        "first_impression",
        "analysis",
        "dissent",
        "synthesis",
        "confidence",
        "refinement_areas",
        "ranking",
    )
    assert all(inner(verdict.text, tag) for tag in tags)
    assert sorted(verdict.ranking) == ["1", "2", "3"]
    assert "Member 2" in verdict.dissent
    assert "Member" not in verdict.synthesis


def test_what_several_share_comes_before_what_one_says() -> None:
    shown = responses(
        [
            "<answer>Sleep at fixed times. Avoid coffee after noon.</answer>",
            "<answer>Avoid coffee after noon. Buy a better mattress.</answer>",
            "<answer>Avoid coffee after noon. Sleep at fixed times.</answer>",
        ],
        [0.7, 0.8, 0.6],
    )
    verdict = judge("demo-ada", "How do I rest well at night?", shown)
    assert verdict.synthesis.index("coffee") < verdict.synthesis.index("mattress")
    assert verdict.synthesis.index("fixed times") < verdict.synthesis.index("mattress")
    assert any("Member 2" in area and "mattress" in area for area in verdict.areas)


@pytest.mark.parametrize("prompt", [DECISIONS[0], OPEN[0], MADE[0], LOOKED_UP[0]])
def test_the_same_seed_gives_the_same_rounds(prompt: str) -> None:
    assert play(prompt, seed=3) == play(prompt, seed=3)


def test_two_instances_of_a_character_may_differ() -> None:
    prompt = "How do I prepare for a marathon?"
    texts = {perform(CHARACTERS["demo-ada"], first_messages(prompt), seed).text for seed in range(8)}
    assert len(texts) > 1


# ── ranking ──────────────────────────────────────────────────────────────────────────────────────


def test_members_of_a_council_rank_the_answers() -> None:
    first = play("How can we reduce meeting time?")[0]
    shown = responses(first.replies, first.confidences)
    asked = (
        f"<rank_prompt>\n<original_prompt>How can we reduce meeting time?</original_prompt>\n"
        f"<model_responses>\n{shown}\n</model_responses>\n</rank_prompt>\n\nReply with nothing but:\n\n{RANKING}"
    )
    for character in CHARACTERS.values():
        text = perform(character, [Message("user", asked)], 1).text
        assert text.startswith("<ranking>")
        assert sorted(re.findall(r'<rank position="\d">(\d)</rank>', text)) == ["1", "2", "3"]


def test_an_arbiter_that_shall_rank_or_pick_writes_no_synthesis() -> None:
    first = play("How can we reduce meeting time?")[0]
    shown = responses(first.replies, first.confidences)
    form = f"<analysis>\nwhy\n</analysis>\n{RANKING}\n<confidence>\na number\n</confidence>"
    ranked = perform(
        CHARACTERS["demo-ada"], arbiter_messages("How can we reduce meeting time?", shown, form=form), 1
    ).text
    assert "<synthesis" not in ranked
    assert len(re.findall("<rank ", ranked)) == 3
    assert inner(ranked, "analysis")
    assert 0 < float(inner(ranked, "confidence")) < 1
    one = form.replace('<rank position="2">ID of the next</rank>\n', "")
    picked = perform(
        CHARACTERS["demo-ada"], arbiter_messages("How can we reduce meeting time?", shown, form=one), 1
    ).text
    assert len(re.findall("<rank ", picked)) == 1


# ── what may come, and what it must not disturb ──────────────────────────────────────────────────


@pytest.mark.parametrize(
    "shown",
    [
        "",
        responses([""], [0.5]),
        responses(["no tags at all"], [0.5]),
        responses(["<answer>cut off", "?!", "> \n|"], [0, 1, 0.5]),
        responses(["<answer>Yes. " + "word " * 5_000 + "</answer>"] * 3, [0.2, 0.3, 0.4]),
        "<model_response><id>x</id>",
    ],
)
def test_any_answers_get_a_verdict(shown: str) -> None:
    verdict = judge("demo-vera", "Should I stay or go?", shown)
    assert 0 < verdict.confidence < 1


@pytest.mark.parametrize(
    "synthesis", ["", "{not json", "</previous_synthesis>", "Ein Satz ohne Bezug.", "x" * 30_000]
)
def test_any_synthesis_gets_an_answer(synthesis: str) -> None:
    for areas in ([], ["-"], ["“”", "Why?"], ["a" * 5_000]):
        talk = [
            *first_messages("Should I stay or go?"),
            iteration_message("Should I stay or go?", synthesis, areas),
        ]
        for character in CHARACTERS.values():
            assert inner(perform(character, talk, 1).text, "answer")


def _then(character: str, prompt: str, follow_up: str) -> tuple[str, str]:
    """The answers to a question and to the one after it."""
    talk = first_messages(prompt)
    reply = perform(CHARACTERS[character], talk, 1).text
    asked = Message("user", f"<prompt><instruction>{follow_up}</instruction></prompt>")
    later = perform(CHARACTERS[character], [*talk, Message("assistant", reply), asked], 2).text
    return inner(reply, "answer"), inner(later, "answer")


def test_a_later_question_goes_on_from_the_one_before() -> None:
    assert "1,564" in _then("demo-ada", "What is 17*23?", "and times 4")[1]


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_follow_up_is_about_the_question_before(character: str) -> None:
    usual, short = _then(character, "How can I sleep better?", "shorter")
    assert len(short) <= len(usual)
    assert "17 × 23 = 391; 391 + 4 = 395" in _then(character, "What is 17*23+4?", "why?")[1]


@pytest.mark.parametrize(
    "prompt", ["What does <prompt> mean?", "Explain the tag <answer>", "prompt", "<ranking>"]
)
def test_an_ordinary_question_is_answered_as_ever(prompt: str) -> None:
    assert "<thought_process>" not in perform(CHARACTERS["demo-ada"], [Message("user", prompt)], 1).text


@pytest.mark.parametrize("prompt", [DECISIONS[0], OPEN[0], LOOKED_UP[0], MADE[0], "What is 17*23?"])
def test_nobody_tells_a_name(prompt: str) -> None:
    names = "|".join(character.name for character in CHARACTERS.values())
    for round_ in play(prompt, tuple(CHARACTERS)):
        for text in (*round_.replies, round_.verdict.text):
            assert not re.search(rf"(?i)\b({names})\b|\bdemo\b|parley", text)


def test_no_part_takes_longer_than_a_person_waits_for() -> None:
    slow = CHARACTERS["demo-echo"]
    longest = play("Should I rent or buy a flat?", tuple(CHARACTERS), "demo-echo")[-1].verdict.text
    speech = perform(slow, [Message("user", "hi")], 1)
    assert speech.within_s is None
    part = perform(slow, arbiter_messages("Tabs or spaces?", responses([longest], [0.5])), 1)
    for text in (part.text, longest):
        told = type(part)(text, "", part.within_s)
        pace = pace_of(slow, told, 1.0)
        count = len(pieces_of(text))
        last = list(moments(count, first_s=pace.first_s, per_second=pace.per_second, rng=random.Random(1)))[
            -1
        ]
        assert last < 7
