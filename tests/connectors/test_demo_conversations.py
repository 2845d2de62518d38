"""The recorded conversations: well-formed, found by their wordings, right, and shipped."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.connectors.demo.answering import answer
from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.conversations import SHIPPED, Conversation, FollowUp, read_library
from parley.kernel.messages import Message

LIBRARY = read_library(SHIPPED)
NAMES = {character.name.lower() for character in CHARACTERS.values()}
CONVERSATIONS = {one.question: one for one in LIBRARY.conversations}
ROOT = Path(__file__).parents[2]
FEATURES = ROOT / "web/src/features"


def everything_in(replies: object) -> list[str]:
    assert isinstance(replies, dict)
    return [text for said in replies.values() for text in ([said] if isinstance(said, str) else said)]


def test_the_wheel_carries_every_data_file() -> None:
    from hatchling.builders.wheel import WheelBuilder

    carried = {Path(file.path).name for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {path.name for path in SHIPPED.iterdir()} <= carried


def test_there_is_something_of_every_kind() -> None:
    listed = [one for one in CONVERSATIONS.values() if one.listed]
    assert len(listed) >= 24
    assert {one.language for one in listed} == {"en", "de", "fr"}


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_a_conversation_is_well_formed(conversation: Conversation) -> None:
    assert set(conversation.replies) == NAMES
    assert set(conversation.reasoning) == {"ada", "vera"}
    texts = [
        *everything_in(conversation.replies),
        *conversation.texts.values(),
        *conversation.reasoning.values(),
    ]
    assert all(text.strip() for text in texts)
    assert all(text.count("```") % 2 == 0 for text in texts)
    slots = {slot for text in texts for slot in re.findall(r"\{\{(.*?)\}\}", text)}
    assert slots <= {"questions"}
    if conversation.listed:
        assert not slots
        assert set(conversation.texts) == {"short", "why", "example"}
        shortest = min(len(text) for text in everything_in({"ada": conversation.replies["ada"]}))
        assert len(conversation.texts["short"]) < max(shortest, 120)


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_its_parts_are_those_of_a_situation(conversation: Conversation) -> None:
    situations = {one.name: one for one in LIBRARY.situations}
    for name, parts in conversation.parts.items():
        known = set(re.findall(r"\{\{(.*?)\}\}", situations[name].form))
        assert set(parts) <= NAMES | {"any"}
        for fields in parts.values():
            assert set(fields) <= known
            slots = {slot for text in fields.values() for slot in re.findall(r"\{\{(.*?)\}\}", text)}
            assert slots <= NAMES


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_every_wording_finds_its_conversation(conversation: Conversation) -> None:
    for wording in (conversation.question, *conversation.wordings):
        assert LIBRARY.find(wording) is conversation, wording
        assert LIBRARY.find(f"  {wording.upper().rstrip('?')} please") is conversation, wording


def test_every_wording_of_a_follow_up_finds_it() -> None:
    for follow_up in LIBRARY.follow_ups:
        for wording in follow_up.wordings:
            assert LIBRARY.find(wording) is follow_up, wording


def test_what_the_page_suggests_is_recorded() -> None:
    suggested = [
        (path.parent.name, text)
        for path in FEATURES.glob("*/*.ts")
        for examples in re.findall(r"\bdemo: \[(.*?)\]", path.read_text(encoding="utf-8"), re.DOTALL)
        for text in re.findall(r'"(.*?)"', examples)
    ]
    assert len(suggested) >= 12
    for mode, text in suggested:
        assert CONVERSATIONS[text].replies, text
        if mode in ("consortium", "team"):
            assert CONVERSATIONS[text].parts, text


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("write a haiku about rate limts", "Write a haiku about rate limits"),
        ("What's a p-value?", "What is a p-value?"),
        ("Can you write a short poem about the sea?", "Write a short poem about the sea"),
        ("12×12", "What is 12 * 12?"),
        ("17 % of 2340", "What is 17% of 2,340, step by step?"),
        ("erkläre mir bitte den Mittelwert oder Median", "Was ist der Unterschied zwischen Mittelwert und Median?"),
    ],
)  # fmt: skip
def test_a_question_is_found_in_other_words_and_with_slips(asked: str, question: str) -> None:
    assert LIBRARY.find(asked) is CONVERSATIONS[question]


@pytest.mark.parametrize(
    "asked",
    [
        "What is 17% of 4,180, step by step?",
        "What is 17% of 2,341?",
        "What is 12 + 12?",
        "What is 12 * 12 * 12?",
        "Convert 10 km to miles and back",
        "Write a haiku about autumn rain",
        "Write a JavaScript function that checks whether a string is a palindrome",
        "Write a Python function that debounces another function",
        "Explain photosynthesis",
        "Combien font 15 % de 250 ?",
        "Should I rent or buy a car?",
    ],
)
def test_another_question_is_not_taken_for_a_recorded_one(asked: str) -> None:
    assert LIBRARY.find(asked) is None


def replies_of(question: str) -> list[str]:
    return everything_in(CONVERSATIONS[question].replies)


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("What is 17% of 2,340, step by step?", str(2340 * 17 / 100)),
        ("What is 12 * 12?", "144"),
        ("How many kilometres is 10 miles?", "16.09"),
        ("A price of €80 is lowered by 25% and then raised by 25%. What is it now?", "€75"),
        ("Combien font 15 % de 240 ?", "36"),
    ],
)
def test_every_character_gives_the_right_result(question: str, result: str) -> None:
    assert all(result in text for text in replies_of(question))


def test_every_palindrome_check_compiles_and_is_right() -> None:
    conversation = CONVERSATIONS["Write a Python function that checks whether a string is a palindrome"]
    parts = [
        fields.get("reply", "") for by_name in conversation.parts.values() for fields in by_name.values()
    ]
    checked = 0
    for text in [*everything_in(conversation.replies), *parts]:
        for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            names: dict[str, object] = {"print": lambda *_: None}
            exec(code, names)
            check = names["is_palindrome"]
            assert callable(check)
            assert [check(word) for word in ("Never odd or even", "parrot", "")] == [True, False, True]
            checked += 1
    assert checked > 10


def test_every_haiku_has_three_lines() -> None:
    conversation = CONVERSATIONS["Write a haiku about rate limits"]
    for name in ("pico", "lyra"):
        for text in everything_in({name: conversation.replies[name]}):
            assert len(text.splitlines()) == 3


NASTY = ["(" * 30_000, "1" * 30_000, "a" * 100_000, "\ud83d half", "1+" * 250 + "1", " " * 50_000, "“" * 9000,
         "2024-01-01 " * 3000, "word. " * 9000, "\x00", "|", "{{s}}", "{{questions}} {{ada}}", "- " * 5000,
         "You are the arbiter of a consortium <synthesis_output>" + "<id>" * 20_000,
         "several members of a consortium <instruction>" * 2_000]  # fmt: skip


@pytest.mark.parametrize("prompt", NASTY, ids=range(len(NASTY)))
def test_no_prompt_breaks_it_or_holds_up_the_event_loop(prompt: str) -> None:
    for character in CHARACTERS.values():
        took: list[float] = []
        for _ in range(2):  # a prompt that is slow to read is so each time; a collection of garbage is not
            start = time.thread_time()
            speech = answer(LIBRARY, character, [Message("user", prompt)], 0)
            assert speech.text
            speech.text.encode()
            took.append(time.thread_time() - start)
        assert min(took) < 0.2


VOCABULARY = [
    "what",
    "is",
    "17%",
    "of",
    "2,340",
    "*",
    "why",
    "shorter",
    "haiku",
    "rent",
    "<id>",
    "{{ada}}",
    "?",
    "\n",
    "“",
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(VOCABULARY), max_size=14).map(" ".join) | st.text(max_size=80))
def test_any_words_are_answered(prompt: str) -> None:
    for character in CHARACTERS.values():
        assert answer(LIBRARY, character, [Message("user", prompt)], 0).text


def test_found_things_are_conversations_and_follow_ups_alone() -> None:
    assert isinstance(LIBRARY.find("why?"), FollowUp)
    assert isinstance(LIBRARY.find("hello"), Conversation)
    assert LIBRARY.find("") is None
