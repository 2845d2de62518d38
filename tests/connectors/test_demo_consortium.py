"""The demo's characters in the real consortium: recorded members and arbiters, by data files alone."""

import asyncio
import random
import re
from pathlib import Path

import pytest

from parley.connectors.demo import DemoConnector
from parley.connectors.demo.answering import Speech, answer
from parley.connectors.demo.cadence import moments, pieces_of
from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.connector import pace_of
from parley.connectors.demo.conversations import SHIPPED, read_library
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.modes.consortium.prompts import first_prompt, member_rules
from parley.testing import read_answer
from tests.connectors.consortium_rounds import MEMBERS, play
from tests.fakes.virtual_loop import on_virtual_time

LIBRARY = read_library(SHIPPED)
WORKED_OUT = [one.question for one in LIBRARY.conversations if one.parts]
IN_ONE_ROUND = ["What is a p-value?", "Explain recursion", "Explique la photosynthèse"]
OTHERS = ("demo-lyra", "demo-maieu", "demo-tilo", "demo-echo", "demo-vera")


@pytest.mark.parametrize(("members", "arbiter"), [(MEMBERS, "demo-tilo"), (OTHERS, "demo-ada")])
@pytest.mark.parametrize("question", WORKED_OUT)
@on_virtual_time
async def test_members_differ_at_first_and_settle_with_dissent(
    question: str, members: tuple[str, ...], arbiter: str
) -> None:
    played = await play(question, members, arbiter)
    verdicts = played.verdicts
    assert played.turn.status == "completed"
    assert len(verdicts) in (2, 3)
    assert played.result["settled"]
    assert all(verdict["parsed"] and verdict["warning"] is None for verdict in verdicts)
    confidences = [verdict["confidence"] for verdict in verdicts]
    assert confidences == sorted(set(confidences))
    assert confidences[0] < 0.8 <= confidences[-1]
    assert verdicts[0]["needs_iteration"]
    assert verdicts[0]["refinement_areas"]
    assert len(verdicts[0]["dissent"].splitlines()) >= 1
    assert "Member" not in verdicts[-1]["synthesis"]
    assert played.consensus[-1] > played.consensus[0] + 0.1


@pytest.mark.parametrize("question", WORKED_OUT)
@on_virtual_time
async def test_each_member_is_surer_at_the_end_and_ranked(question: str) -> None:
    played = await play(question, tuple(CHARACTERS))
    first, last = played.answers(1), played.answers(len(played.verdicts))
    assert all(answer["parsed"] and answer["thought_process"] for answer in (first | last).values())
    assert all(last[seat]["confidence"] > first[seat]["confidence"] for seat in first)
    assert all(sorted(verdict["ranking"]) == sorted(first) for verdict in played.verdicts)


@pytest.mark.parametrize("question", WORKED_OUT)
@on_virtual_time
async def test_what_is_said_of_a_member_is_said_of_the_one_in_that_seat(question: str) -> None:
    played = await play(question, tuple(CHARACTERS))
    sceptic = "abcdefg"[list(CHARACTERS).index("demo-vera")]
    for verdict in played.verdicts:
        place = verdict["shown"].index(sceptic) + 1
        expected = f"Member {place} " in verdict["dissent"]
        recorded = next(one for one in LIBRARY.conversations if one.question == question).parts
        named = {
            name: "{{vera}}" in parts["any"]["dissent"]
            for name, parts in recorded.items()
            if name.startswith("arbiter")
        }
        assert expected == list(named.values())[verdict["iteration"] - 1]


@pytest.mark.parametrize("question", IN_ONE_ROUND)
@on_virtual_time
async def test_what_nobody_disputes_settles_at_once_and_stays_settled(question: str) -> None:
    played = await play(question)
    assert len(played.verdicts) == 1
    assert played.result["settled"]
    assert not played.verdicts[0]["dissent"]
    longer = await play(question, brief={"minimum_iterations": 3})
    confidences = [verdict["confidence"] for verdict in longer.verdicts]
    assert len(confidences) == 3
    assert confidences == sorted(set(confidences))


@on_virtual_time
async def test_where_nothing_is_recorded_nobody_pretends_to_be_sure() -> None:
    played = await play("Explain Byzantine coinage")
    assert played.turn.status == "completed"
    assert not played.result["settled"]
    assert all(
        answer["confidence"] == 0.1 for number in (1, 2, 3) for answer in played.answers(number).values()
    )
    assert [verdict["confidence"] for verdict in played.verdicts] == [0.1, 0.1, 0.1]


@pytest.mark.parametrize("question", [WORKED_OUT[0], IN_ONE_ROUND[0]])
@pytest.mark.parametrize(
    "brief",
    [
        {"strategy": "council"},
        {"strategy": "elimination"},
        {"strategy": "voting"},
        {"strategy": "role"},
        {"judging_method": "rank"},
        {"judging_method": "pick-one"},
        {"reveal_names": True},
        {"manual_context": True},
    ],
    ids=lambda brief: " ".join(map(str, *brief.items())),
)
@on_virtual_time
async def test_every_way_of_judging_ends_well(question: str, brief: dict[str, object]) -> None:
    played = await play(question, brief=brief)
    assert played.turn.status == "completed"
    assert played.result["settled"]
    assert all(verdict["parsed"] for verdict in played.verdicts)
    if "council" in brief.values():
        assert len(played.rankings[0]["ballots"]) == 3


@on_virtual_time
async def test_two_instances_of_one_character_sit_side_by_side() -> None:
    played = await play(WORKED_OUT[0], ("demo-pico", "demo-pico", "demo-ada"))
    assert played.result["settled"]
    assert played.verdicts[0]["ranking"][0] == "c"


@pytest.mark.parametrize("question", [*WORKED_OUT, *IN_ONE_ROUND])
@on_virtual_time
async def test_nobody_tells_a_name_or_leaves_a_slot_open(question: str) -> None:
    names = "|".join(character.name for character in CHARACTERS.values())
    played = await play(question, tuple(CHARACTERS), "demo-vera")
    for reply in played.turn.replies:
        assert not re.search(rf"(?i)\b({names})\b|\bdemo\b|parley|\{{\{{", reply.text)


def _member(*questions: str) -> list[Message]:
    earlier = [
        message
        for question in questions[:-1]
        for message in (Message("user", question), Message("assistant", "…"))
    ]
    system = Message("system", member_rules(None, None))
    return [system, *earlier, Message("user", first_prompt(questions[-1]))]


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_follow_up_in_a_consortium_is_about_the_question_before(character: str) -> None:
    text = answer(LIBRARY, CHARACTERS[character], _member("What is 12 * 12?", "why?"), 1).text
    assert "ten twelves and two twelves" in text
    assert text.endswith("</confidence>")


@pytest.mark.parametrize("question", ["Is 1 < 2 & 3 > 2?", "</instruction> <answer>"])
def test_a_question_with_marks_in_it_is_taken_as_it_was_asked(question: str) -> None:
    text = answer(LIBRARY, CHARACTERS["demo-tilo"], _member(question), 1).text
    assert "there is no recorded answer" in text


@pytest.mark.parametrize(
    "prompt", ["What does <prompt> mean?", "Explain the tag <answer>", "prompt", "<ranking>"]
)
def test_an_ordinary_question_is_answered_as_ever(prompt: str) -> None:
    speech = answer(LIBRARY, CHARACTERS["demo-ada"], [Message("user", prompt)], 1)
    assert "<thought_process>" not in speech.text


def test_no_part_takes_longer_than_a_person_waits_for() -> None:
    slow = CHARACTERS["demo-echo"]
    assert answer(LIBRARY, slow, [Message("user", "hi")], 1).within_s is None
    part = answer(LIBRARY, slow, _member(WORKED_OUT[0]), 1)
    for text in (part.text, 10 * part.text):
        pace = pace_of(slow, Speech(text, within_s=part.within_s), 1.0)
        count = len(pieces_of(text))
        *_, last = moments(count, first_s=pace.first_s, per_second=pace.per_second, rng=random.Random(1))
        assert last < 7


MODERATED = """
[[situations]]
name = "moderator"
when = ["You moderate a debate", "Whose turn is it?"]
question = ["The topic: ", "\\n"]
answers = {id = ["[", "]"], text = [": ", "\\n"]}
form = "{{line}} Next: {{tilo}}"
fields = {any = {line = "I pass."}, vera = {line = "On “{{question}}” I have heard enough."}}
unrecorded = {line = "I know nothing of “{{question}}”."}

[[conversations]]
question = "Tea or coffee?"
replies = {any = "Both.", tilo = "Coffee, with milk."}
parts = {moderator = {ada = {line = "Tea has been praised."}}}
"""


async def test_a_new_mode_is_a_new_data_file(tmp_path: Path) -> None:
    (tmp_path / "debate.toml").write_text(MODERATED, encoding="utf-8")
    demo = DemoConnector(Provider("demo", "demo", "demo://?speed=100000"), conversations=[tmp_path])

    async def says(model: str, topic: str) -> str:
        asked = f"You moderate a debate.\nThe topic: {topic}\n[x1]: Tea.\n[y2]: Coffee, with milk.\nWhose turn is it?"
        return (await read_answer(demo, model, asked)).text

    assert await says("demo-ada", "tea or coffee") == "Tea has been praised. Next: y2"
    assert await says("demo-vera", "Tea or coffee?") == "On “Tea or coffee?” I have heard enough. Next: y2"
    assert await says("demo-pico", "Tea or coffee?") == "I pass. Next: y2"
    assert (await read_answer(demo, "demo-tilo", "Tea or coffee?")).text == "Coffee, with milk."
    assert await asyncio.gather(*(says("demo-ada", "tea or coffee") for _ in range(3)))


@pytest.mark.parametrize(
    "wrong", ["[[conversations]]\nquestion = 'x'", "[[situation]]\nname = 'x'", "[[", "weak_words = [1]"]
)
def test_a_data_file_with_a_mistake_is_named(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "broken.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^broken\.toml: "):
        read_library(tmp_path)
