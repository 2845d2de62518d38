"""Tests of identity: error rates on written cases, disguises, questions, and time in proportion to the text."""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.text.identity import frames
from parley.text.identity.frames import SLOT, stated_from
from parley.text.identity.leak import Leak, find_leak
from parley.text.identity.names import names_of
from parley.text.identity.plain import plain
from parley.text.identity.questions import asks_who_answers

FRAMES = Path(frames.__file__).with_name("frames.txt")
CASES = Path(__file__).parents[2] / "fixtures/identity"
POOL = (
    *(
        "claude-sonnet-4",
        "Claude Sonnet 4",
        "Anthropic",
        "gpt-4o",
        "GPT-4o",
        "OpenAI",
        "hermes-4",
        "Hermes 4",
    ),
    *("bobolink-4", "Bobolink 4", "Birds of a Feather", "bob", "Bob", "Bob Labs", "Ada (demo)", "Unknown"),
)


def cases(part: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in (CASES / f"{part}.jsonl").read_bytes().splitlines()]


def found(case: dict[str, Any]) -> Leak | None:
    return find_leak(case["prompts"], [case["answer"]], POOL)


def rates(part: str) -> tuple[float, float]:
    """Return recall and precision of a part: a vote is left out, or it is not."""
    hits = [(case["tells"] is not None, found(case) is not None) for case in cases(part)]
    right = hits.count((True, True))
    return right / (right + hits.count((True, False))), right / (right + hits.count((False, True)))


@pytest.mark.parametrize(
    ("part", "recall", "precision"),
    [
        ("at_hand", 0.97, 0.99),
        ("held_out", 0.91, 0.97),
        ("sentences", 0.99, 0.98),
        ("frames_seen", 0.98, 0.98),
        ("frames_unseen", 0.98, 0.93),
        ("other_scripts", 0.97, 0.97),
    ],
)
def test_the_rates_do_not_fall_below_those_stated(part: str, recall: float, precision: float) -> None:
    reached = rates(part)
    assert reached[0] >= recall, [case["answer"] for case in cases(part) if case["tells"] and not found(case)]
    assert reached[1] >= precision, [
        case["answer"] for case in cases(part) if not case["tells"] and found(case)
    ]


def test_the_written_cases_are_many_in_many_languages_and_half_of_them_innocent() -> None:
    written = [*cases("at_hand"), *cases("held_out")]
    assert len(written) >= 400
    assert len({case["language"] for case in written}) >= 12
    innocent = sum(case["tells"] is None for case in written)
    assert 0.45 <= innocent / len(written) <= 0.55
    assert len({msgspec.json.encode(case) for case in written}) == len(written)


@pytest.mark.parametrize(
    "answer",
    [
        "Claude.",
        "Model: Claude Sonnet 4",
        "All done.\n\n— Claude",
        '{"model": "claude-sonnet-4"}',
        "Anthropic is my maker.",
        "I am Cl\u200bau\u00adde.",
        "I'm Сlаudе.",
        "I am Ｃｌａｕｄｅ.",
        "I am C\u0336l\u0336a\u0336u\u0336d\u0336e\u0336.",
        "I am C-l-a-u-d-e.",
        "ɪ ᴀᴍ ᴄʟᴀᴜᴅᴇ",
        "I am **Clau**de.",
        "Jag är Claude, skapad av Anthropic.",
        "Olen Anthropicin kehittämä tekoälyavustaja.",
        "Tôi là Claude, do Anthropic phát triển.",
        "Saya adalah Claude, dibuat oleh Anthropic.",
        "I am Bobolink.",
        "I was made by Birds of a Feather.",
        "Hey, it's Claude here.",
        "Signed, Claude",
        "As an AI called Claude, I can't.",
        "They named me Claude.",
        "আমার নাম Claude।",
        "میرا نام Claude ہے۔",
        "எனது பெயர் Claude.",
        "Naitwa Claude.",
        "Аз съм Claude.",
        "Minu nimi on Claude.",
        "Ég heiti Claude.",
        "Volám sa Claude.",
    ],
)
def test_an_answer_that_names_its_model_is_found_in_any_disguise(answer: str) -> None:
    assert find_leak(["Tell me a story."], [answer], POOL) == "answer"


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Who painted this?", "Claude Monet."),
        ("What is soft?", "Llama wool."),
        ("Tell me something.", "Gemini is a zodiac sign."),
        ("Who was in it?", "Jean-Claude Van Damme."),
        ("What blows there?", "The mistral wind, cold and dry."),
        ("How do I reload?", "Press command R."),
        ("Tell me about Mistral, the company.", "Mistral AI is a company in Paris."),
        ("Compare GPT-4 with Claude.", "GPT-4 is better at tools, Claude at prose."),
        ("What is grok?", "Grok is a word for deep understanding."),
    ],
)
def test_what_only_has_such_a_name_is_innocent(prompt: str, answer: str) -> None:
    assert find_leak([prompt], [answer], POOL) is None


@pytest.mark.parametrize(
    "answer",
    [
        "I asked ChatGPT about it.",
        "我问了ChatGPT。",
        "私はChatGPTではありません。",
        "No soy ChatGPT.",
        "سألت ChatGPT عن ذلك.",
    ],
)
def test_a_sentence_about_a_model_reveals_nothing(answer: str) -> None:
    assert find_leak(["Tell me a story."], [answer], POOL) is None


@pytest.mark.parametrize(
    "answer",
    [
        "Assistant/claude: Here you go.",
        "[assistant/gemini]: hello there",
        "model/grok: I can do that.",
        "Bot / mistral: ok, the text is here",
        "Assistant (claude): Sure, here it is",
        "claude/assistant: hi there",
        "Gemini: The sum is four.",
    ],
)
def test_a_name_beside_a_role_counts_in_lower_case_too(answer: str) -> None:
    assert find_leak(["Hi"], [answer], POOL) == "answer"


@pytest.mark.parametrize(
    "answer",
    [
        "Gemini: the twins.",
        "Gemini: les jumeaux.",
        'Gemini: "the twins".',
        "Llama: an animal of the Andes",
        "Grok: to understand deeply.",
        "see src/claude: the folder",
        "assistant/claude/readme.md",
    ],
)
def test_a_word_that_is_explained_reveals_nothing(answer: str) -> None:
    assert find_leak(["Which word?"], [answer], POOL) is None


def test_every_frame_is_found_in_its_own_words() -> None:
    """A frame with a typing error would never be found, and nobody would notice."""
    stated = [line for line in FRAMES.read_text("utf-8").splitlines() if line.strip() and line[0] not in "#!"]
    unread = [line for line in stated if stated_from(plain(first_reading(line)).replace("§", SLOT)) is None]
    assert unread == []


def first_reading(frame: str) -> str:
    """Return a frame's sentence with the first of each of its choices, and § for the name."""
    words = re.sub(r"\(([^()|]*)[^()]*\)\??", r" \1 ", frame)
    return re.sub(r"\s+", " ", re.sub(r"[=^$]", "", words)).strip().replace("N", "§")


def test_who_is_named_need_not_be_who_answers() -> None:
    """The voter believes it, so it does not matter whether it is true."""
    assert find_leak(["Hello"], ["I am ChatGPT, made by OpenAI."], ()) == "answer"


def test_a_question_about_identity_tells_in_any_turn_and_whatever_the_answer() -> None:
    assert find_leak(["Hello", "And who are you?"], ["A helper."], POOL) == "question"
    assert find_leak(["Who are you?"], ["Some call me helper; Anthropic knows."], POOL) == "answer"


def test_a_prompt_that_names_models_makes_their_names_innocent_but_no_statement() -> None:
    prompt = "Compare Claude with ChatGPT."
    assert find_leak([prompt], ["Claude."], POOL) is None
    assert find_leak([prompt], ["I am Claude, so I may be biased."], POOL) == "answer"


@pytest.mark.parametrize(
    "prompt",
    [
        "How do you say “who are you” in Finnish?",
        "Write a scene. A guard asks “Who are you?” and nobody answers.",
        "Who are you voting for?",
        "What are you doing tonight?",
        "Who made you so angry?",
        "What model of car is that?",
    ],
)
def test_other_questions_are_not_about_identity(prompt: str) -> None:
    assert not asks_who_answers(prompt)


@pytest.mark.parametrize("names", [(), ("",), ("Unknown", "local"), ("x", "Us")])
def test_names_that_name_nobody_find_nothing(names: tuple[str, ...]) -> None:
    assert names_of(names).mentions("I am Unknown, the local x. Us too.") == []


def test_a_name_is_taken_literally() -> None:
    names = ("c++ (beta) [a-z]+", "Zed.*")
    assert find_leak(["Hi"], ["I am anything."], names) is None
    assert find_leak(["Hi"], ["I am Zed.* and glad."], names) == "answer"


def test_plain_text_has_no_marks_and_nothing_unseen() -> None:
    assert plain("**C\u0301lau\u200bde** `x`\ufe0f") == "Claude x"


@given(st.lists(st.text()), st.lists(st.text()), st.lists(st.text(max_size=30), max_size=5))
def test_any_text_and_any_names_can_be_looked_at(
    prompts: Sequence[str], answers: Sequence[str], names: Sequence[str]
) -> None:
    assert find_leak(prompts, [*answers, "I am " + " ".join(names)], names) in ("answer", "question", None)


PIECES = (
    *(
        "gpt ",
        "gpt-",
        "*_",
        "“I am ",
        " ",
        "```",
        "```\n",
        "<b",
        "Claude ",
        "Claude\n",
        "C-l-",
        "a b ",
        '{"model":',
    ),
    *(
        "\u0316\u0300",
        "़्",
        "\ufdfa",
        "克劳德",
        "我是",
        "ผมชื่อ",
        "Сlа",
        "who is your model what is ",
        "\n> ",
        "~",
    ),
)


@pytest.mark.parametrize("piece", PIECES)
def test_time_is_in_proportion_to_the_text(piece: str) -> None:
    """A sixth of a megabyte of anything as answer and prompt: what grows with the square would take minutes."""
    text = (piece * (170_000 // len(piece) + 1))[:170_000]
    begun = time.process_time()
    find_leak([text], [text], POOL)
    assert time.process_time() - begun < 5
