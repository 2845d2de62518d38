"""What members and arbiters write is read as they meant it, also where they are careless with the form."""

from typing import Any

import pytest

from parley.modes.consortium.replies import read_arbiter, read_member, read_order, readable

SETTLED = '"confidence": 0.9, "needs_iteration": false'


def an_arbiter(**fields: str) -> str:
    """A verdict of these fields alone."""
    return "".join(f"<{name}>{text}</{name}>" for name, text in {"synthesis": "S.", **fields}.items())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "<answer>Close it with `</answer>`, always.</answer><confidence>1</confidence>",
            "`</answer>`, always.",
        ),
        ("<answer>Write <answer>x</answer> there.</answer>", "Write <answer>x</answer> there."),
        ("<answer>Paris.</answer></answer>", "Paris."),
        ("<answer>Paris.</answer>\n<answer>Lyon.</answer>", "Paris."),
        ("<answer>Paris.</answer> And </ the rest", "Paris."),
    ],
)
def test_an_answer_may_speak_of_its_own_tags(text: str, answer: str) -> None:
    reading = read_member(text)
    assert reading.answer.endswith(answer)
    assert text[reading.start : reading.end] == reading.answer


@pytest.mark.parametrize(
    ("text", "answer", "thoughts"),
    [
        ("<thought_process>It must be Par", "It must be Par", "It must be Par"),
        ("<thinking>Paris.</thinking><confidence>0.9</confidence>", "Paris.", "Paris."),
        ("<thinking>Hm.</thinking>Paris.", "Paris.", "Hm."),
        ("<thinking>Hm.</thinking><answer> </answer>", "", "Hm."),
        ("<confidence>0.9</confidence>", "", None),
        ("<thinking></thinking>", "", None),
        ("No form at all.", "No form at all.", None),
    ],
)
def test_what_counts_where_no_answer_is_marked(text: str, answer: str, thoughts: str | None) -> None:
    reading = read_member(text)
    assert (reading.answer, reading.thought_process, reading.parsed) == (answer, thoughts, False)
    assert text[reading.start : reading.end] == answer


@pytest.mark.parametrize(
    "text",
    [
        '{"thought_process": "Hm.", "answer": "Paris.", "confidence": 0.9}',
        'Here:\n```json\n{"confidence": "90%", "thinking": "Hm.", "updated_response": "Paris."}\n```',
        '{"answer": " Paris. ", "confidence": 0.9, "thinking": "Hm."} That is all.',
    ],
)
def test_a_reply_in_json_is_read_with_its_confidence(text: str) -> None:
    reading = read_member(text)
    assert (reading.answer, reading.confidence, reading.parsed) == ("Paris.", 0.9, True)
    assert reading.thought_process == "Hm."
    assert text[reading.start : reading.end] == "Paris."


def test_json_that_cannot_be_shown_as_it_is_has_no_place_in_the_text() -> None:
    reading = read_member('{"answer": "Say \\"yes\\"\\nor no.", "confidence": 1}')
    assert (reading.answer, reading.confidence) == ('Say "yes"\nor no.', 1.0)
    assert (reading.start, reading.end) == (0, 0)


@pytest.mark.parametrize(
    "text",
    ['{"answer": 42}', '{"answer": {"a": 1}, "confidence": 0.9}', '{"name": "Ada", "confidence": 0.4}', "{"],
)
def test_an_answer_that_is_json_itself_stays_whole(text: str) -> None:
    reading = read_member(text)
    assert (reading.answer, reading.confidence, reading.parsed) == (text, None, False)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *[
            ("false", False),
            ("FALSE.", False),
            ("**false**", False),
            ("`true`", True),
            ("false (all agree)", False),
        ],
        *[("no", False), ("No.", False), ("yes, on the numbers", True), ("**no**", False)],
        *[
            ("true or false", None),
            ("true/false", None),
            ("maybe", None),
            ("", None),
            ("No consensus yet", None),
        ],
    ],
)
def test_whether_another_round_is_wanted(said: str, meant: bool | None) -> None:
    assert read_arbiter(an_arbiter(needs_iteration=said), 2).needs_iteration is meant


@pytest.mark.parametrize(
    "nothing", ["", "None", "none.", "No dissent.", "**None**", "(none)", "N/A", "None at this time."]
)
def test_no_dissent_and_no_open_point_are_none(nothing: str) -> None:
    reading = read_arbiter(an_arbiter(dissent=nothing, refinement_areas=f"- {nothing}"), 2)
    assert (reading.dissent, reading.refinement_areas) == ("", ())


def test_a_dissent_that_begins_like_none_is_one() -> None:
    assert read_arbiter(an_arbiter(dissent="None of them counts the ferry."), 2).dissent.startswith("None of")


@pytest.mark.parametrize(
    "text",
    [
        f'{{"synthesis": "S.", {SETTLED}}}',
        f'Of {{1, 2}}:\n```json\n{{"synthesis": "S.", {SETTLED}}}\n```\nIn {{braces}}.',
        f'{{"synthesis_output": {{"synthesis": "S.", {SETTLED}}}}}',
        f'{{"synthesis_output": {{"synthesis": "S.", {SETTLED}}}',
        f'{{"synthesis": {{"synthesis": "S.", {SETTLED}}}}}',
        "<synthesis_output><confidence>0.9</confidence><needs_iteration>false</needs_iteration><synthesis>S.</synthesis_output>",
        "<synthesis_output>\n<confidence>0.9</confidence><needs_iteration>false</needs_iteration>\n<synthesis>S.\n</synthesis_out",
    ],
)
def test_a_verdict_is_read_in_every_form(text: str) -> None:
    reading = read_arbiter(text, 2)
    assert reading.parsed
    assert (reading.synthesis, reading.confidence, reading.needs_iteration) == ("S.", 0.9, False)


def test_json_with_line_breaks_and_half_characters_is_read() -> None:
    reading = read_arbiter(
        '{"synthesis": "One.\n\nTwo \\ud83d.", "refinement_areas": [{"area": "costs"}]}', 2
    )
    assert reading.synthesis == "One.\n\nTwo \ufffd."
    assert reading.refinement_areas == ("costs",)


def test_an_object_of_the_answer_itself_is_no_verdict() -> None:
    text = 'The settings: {"name": "x", "size": 3}.'
    assert read_arbiter(text, 2) == read_arbiter(text, 0)
    assert not read_arbiter(text, 2).parsed


@pytest.mark.parametrize(
    ("ranking", "order"),
    [
        ("<rank position='1'>Member 2 (the best)</rank><rank position='2'>1</rank>", (1, 0)),
        ("<rank position='2'><id>1</id></rank><rank position='1'><id>3</id></rank>", (2, 0)),
        ("<rank position='1'>**2**</rank><rank position='2'>ID: 3 – sound</rank>", (1, 2)),
        ("<rank position='1'>gpt-4</rank><rank position='2'>4o-mini</rank><rank>2.5 pro</rank>", ()),
        ("<rank position='1'>1. Member 3</rank>", (2,)),
        ("2 > 1 > 3", (1, 0, 2)),
        ("1. Member 2\n2. Member 1", (1, 0)),
        ("3 answers are good, 1 is not", ()),
    ],
)
def test_a_ranking_names_its_answers(ranking: str, order: tuple[int, ...]) -> None:
    assert read_order(f"<ranking>{ranking}</ranking>", 3) == order


@pytest.mark.parametrize(
    ("ranking", "order"),
    [
        ("[2, 1, 3]", (1, 0, 2)),
        ('["Member 3 (best)", "1"]', (2, 0)),
        ('[{"position": 2, "id": 1}, {"position": 1, "id": 3}]', (2, 0)),
        ('[{"rank": "2", "response_id": 1}, {"rank": "1", "response_id": 3}]', (2, 0)),
        ('{"1": 3, "2": 1}', (2, 0)),
        ('"3 > 1 > 2"', (2, 0, 1)),
        ("[[1]]", (0,)),
        ("7", ()),
    ],
)
def test_a_ranking_in_json_goes_by_its_positions(ranking: str, order: tuple[int, ...]) -> None:
    text: Any = f'{{"ranking": {ranking}}}'
    assert read_order(text, 3) == order


def test_a_transcript_shows_an_answer_without_its_tags_and_the_dissent_below() -> None:
    member = "<thinking>Hm.</thinking><answer>Use **it**.</answer><confidence>0.8</confidence>"
    assert readable(member) == "Use **it**.\n\n**Confidence:** 0.8"
    arbiter = "<synthesis_output><synthesis>Both.</synthesis><dissent></dissent></synthesis_output>"
    assert readable(arbiter) == "Both."
    assert readable("Write <div> here.\n") == "Write <div> here."
