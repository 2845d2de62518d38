"""What members, moderators and writers wrote is read leniently: every text gives a result."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.modes.team.replies import (
    PARTS,
    find_change,
    find_refs,
    find_roles,
    read_choice,
    read_member,
    read_parts,
)

ROLES = {"a": "Proposer", "b": "Critic", "c": "Critic 2", "d": "Devil's advocate"}
SAID = "Tea is better.\n\nIt is **hot**."


@pytest.mark.parametrize(
    ("closing", "answers", "position", "changed"),
    [
        ("\n\nAnswers: 1.2\nPosition: Tea.\nChanged my mind: no", "1.2", "Tea.", ""),
        (
            "\n\n**Answers:** [1.2 Critic]\n\n**Position**: Tea.\n\n**Changed my mind:** No.",
            "[1.2 Critic]",
            "Tea.",
            "",
        ),
        ("\n- Position: Tea\n- Changed my mind: yes, it is hot [1.2]", None, "Tea", "it is hot [1.2]"),
        ("\nPOSITION: Tea,\nbut only hot.", None, "Tea, but only hot.", None),
        ("\n\nChanged my mind: not at all", None, None, "not at all"),
        ("\n\nChanged my mind: none", None, None, ""),
        ("\n\nChanged my mind: yes", None, None, "yes"),
        ("\n\nPosition: one\nPosition: two", None, "two", None),
        ("", None, None, None),
    ],
)
def test_the_lines_at_the_end_are_the_speakers_declarations(
    closing: str, answers: str | None, position: str | None, changed: str | None
) -> None:
    text = f"  {SAID}{closing}\n"
    reading = read_member(text)
    assert text[reading.start : reading.end] == SAID
    assert (reading.answers, reading.position, reading.changed) == (answers, position, changed)


@pytest.mark.parametrize(
    "text",
    [
        "Position: this is how I begin.\n\nThen I go on, in another paragraph.",
        "Position: " + "\n".join(f"line {number}" for number in range(40)),
        "My position: tea.",
    ],
)
def test_a_line_that_only_looks_like_a_declaration_stays_in_the_text(text: str) -> None:
    reading = read_member(text)
    assert (text[reading.start : reading.end], reading.position) == (text, None)


def test_a_reply_of_declarations_alone_is_all_said() -> None:
    text = "Answers: none\nPosition: Tea."
    reading = read_member(text)
    assert (text[reading.start : reading.end], reading.position) == (text, "Tea.")


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("As [1.2 Critic] says.", ("1.2",)),
        ("[1.2 Critic, 2.1 Proposer] and [1.2]", ("1.2", "2.1")),
        ("so it is (2.10 Critic).", ("2.10",)),
        ("In 1.2 and (1.5) and [0.5] and [1.2.3] and Python [3.11.4]", ()),
        ("[text](https://example.org/1.2)", ()),
    ],
)
def test_references_stand_in_brackets(text: str, refs: tuple[str, ...]) -> None:
    assert find_refs(text) == refs


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("The Critic and the Proposer", ("b", "a")),
        ("Critic 2 is right", ("c",)),
        ("The Critics, proposers and critical people", ()),
        ("Devil's advocate: no", ("d",)),
    ],
)
def test_a_role_is_named_by_its_whole_name(text: str, seats: tuple[str, ...]) -> None:
    assert find_roles(text, ROLES) == seats


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Well. I was wrong about the price. Sorry.", "I was wrong about the price."),
        ("I’ve changed my mind: tea", "I’ve changed my mind: tea"),
        ("I no longer think that. ", "I no longer think that."),
        ("You were wrong, and I stand by it.", None),
    ],
)
def test_a_change_of_mind_is_found_in_the_words_that_state_one(text: str, found: str | None) -> None:
    assert find_change(text) == found


@pytest.mark.parametrize(
    ("text", "named", "ask", "enough"),
    [
        ("Next: Critic, Proposer\nAsk: Why?\nEnough: no", ("Critic", "Proposer"), "Why?", False),
        (
            "**Next**: [1.2 Critic] → Proposer and “Poet”\n**Enough:** Yes.",
            ("Critic", "Proposer", "Poet"),
            None,
            True,
        ),
        ("NEXT： Critic", ("Critic",), None, False),
        ("Next: nobody", (), None, False),
        ("Let us hear everybody.", None, None, False),
    ],
)
def test_a_moderators_lines_are_read(
    text: str, named: tuple[str, ...] | None, ask: str | None, enough: bool
) -> None:
    choice = read_choice(text)
    assert (choice.named, choice.ask, choice.enough) == (named, ask, enough)


PARTED = {
    "consensus": ("One thing. [1.1 Critic]", "Another, with more below it"),
    "disagreements": (),
    "assumptions": ("All of it is a paragraph.",),
    "recommendation": ("First.", "Then **second**."),
    "minority": ("None of the others sees it.",),
}


AS_ASKED = """Here it is.

## Consensus
- One thing. [1.1 Critic]
- Another,
  - with more below it

## Disagreements
None.
## Assumptions
All of it
is a paragraph.

## Recommendation
1. First.
2. Then **second**.
## Minority report
- None of the others sees it."""
OTHERWISE = """**1. Points of consensus:**
* One thing. [1.1 Critic]
* Another,
with more below it
**Disagreements**: none
**Key assumptions**

All of it is a paragraph.
### RECOMMENDATIONS

• First.

• Then **second**.
Minority view:
None of the others sees it."""


@pytest.mark.parametrize("text", [AS_ASKED, OTHERWISE])
def test_the_parts_of_a_synthesis_are_found_by_their_headings(text: str) -> None:
    assert read_parts(text) == PARTED


def test_a_text_without_headings_has_no_parts() -> None:
    assert read_parts("We reached a consensus: tea.\nThe recommendation of the Critic is tea.") == {}


words = st.sampled_from(
    [
        "Answers:",
        "Position: x",
        "Changed my mind:",
        "Next:",
        "## Consensus",
        "- ",
        "1. ",
        "[1.2 ",
        "]",
        "\n",
        "\r",
        "**",
    ]
)


@given(st.lists(st.one_of(words, st.text(max_size=8)), max_size=40).map("".join))
def test_any_text_gives_a_reading_within_its_bounds(text: str) -> None:
    reading = read_member(text)
    assert 0 <= reading.start <= reading.end <= len(text)
    assert not text.strip() or text[reading.start : reading.end].strip()
    assert set(read_parts(text)) <= set(PARTS)
    read_choice(text)
    find_roles(text, ROLES)


@pytest.mark.parametrize(
    "unit", ["[", "(1.1 ", "Position: ", "- \n", "# ", "I was ", "Next: a, ", "* " * 20, "\n"]
)
def test_reading_a_long_text_takes_no_longer_than_its_length(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    start = time.perf_counter()
    read_member(text)
    read_parts(text)
    read_choice(text)
    find_refs(text)
    find_change(text)
    assert time.perf_counter() - start < 4
