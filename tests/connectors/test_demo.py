"""The demo's characters: deterministic, honest, different, and without a name while it does not matter."""

import asyncio
import re
import subprocess
import sys
from typing import Any

import pytest

from parley.connectors.demo import DemoConnector, demo_catalog, faulty_catalog
from parley.connectors.demo.answering import Speech, answer
from parley.connectors.demo.cadence import pieces_of
from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.connector import UNSEEN
from parley.connectors.demo.conversations import SHIPPED, read_library
from parley.connectors.demo.drawing import PAINTERS
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.kernel.errors import Invalid, Overloaded, Rejected
from parley.kernel.messages import ImagePart, Message, TextPart
from parley.kernel.models import Provider
from tests.fakes.virtual_loop import on_virtual_time

LIBRARY = read_library(SHIPPED)
LISTED = [conversation.question for conversation in LIBRARY.conversations if conversation.listed]
UNRECORDED = ["Explain the history of Byzantine coinage", "What is 17% of 4,180?", "Tell me a joke", "…", ""]
PROMPTS = [*LISTED, *UNRECORDED, "hello", "thanks"]


def say(character: str, *prompts: str, seed: int = 0) -> Speech:
    """The character's answer to the last prompt, after it had answered the ones before."""
    messages: list[Message] = []
    speech = Speech("")
    for prompt in prompts:
        messages.append(Message("user", prompt))
        speech = answer(LIBRARY, CHARACTERS[character], messages, seed)
        messages.append(Message("assistant", speech.text))
    return speech


def connector(speed: float = 1000) -> DemoConnector:
    return DemoConnector(Provider("demo", "demo", f"demo://?speed={speed}"))


async def collect(
    model: str, prompt: str = "What is 6*7?", speed: float = 1000, **fields: Any
) -> list[Chunk]:
    request = ChatRequest(model=model, messages=(Message("user", prompt),), **fields)
    return [chunk async for chunk in connector(speed).stream(request)]


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta) and chunk.channel == "text")


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_normal_answer_never_names_its_speaker(prompt: str) -> None:
    names = [character.name for character in CHARACTERS.values()]
    for character in CHARACTERS:
        for prompts in ((prompt,), ("Hi", prompt, "why?"), (prompt, "shorter"), (prompt, "give an example")):
            speech = say(character, *prompts)
            assert not re.search(rf"(?i)\b({'|'.join(names)})\b|demo|parley", speech.text + speech.reasoning)


IDENTITY = [
    "Who are you?",
    "What's your name?",
    "Which model are you?",
    "Who are you? Which model are you?",
    "Please introduce yourself",
    "Are you Ada?",
    "Are you a language model?",
]
LABELS = "terse|thorough|socratic|scepti\\w*|tutor|listener|mirror|poet\\w*|reflective|parley"


@pytest.mark.parametrize("prompt", IDENTITY)
def test_asked_who_it_is_a_character_says_that_it_is_a_demo_and_not_which(prompt: str) -> None:
    names = "|".join(character.name for character in CHARACTERS.values())
    for character in CHARACTERS:
        for prompts in (
            (prompt,),
            ("What is 12 * 12?", "why?", prompt),
            (prompt, "shorter"),
            (prompt, "sure?"),
        ):
            speech = say(character, *prompts)
            assert not re.search(rf"(?i)\b({names}|{LABELS})\b", speech.text + speech.reasoning)
        text = say(character, prompt).text
        assert "built-in demo program" in text
        assert "not a language model" in text


@pytest.mark.parametrize("prompt", [*LISTED, *UNRECORDED, "hello"])
def test_the_characters_say_it_differently(prompt: str) -> None:
    assert len({say(character, prompt).text for character in CHARACTERS}) == len(CHARACTERS)


@pytest.mark.parametrize("prompt", LISTED)
def test_only_who_shows_its_reasoning_thinks_aloud(prompt: str) -> None:
    thinks = {name for name in CHARACTERS if say(name, prompt).reasoning}
    assert thinks == {"demo-ada", "demo-vera"}


def test_the_same_conversation_and_seed_give_the_same_answer_in_another_process() -> None:
    code = (
        "from parley.connectors.demo.answering import answer\n"
        "from parley.connectors.demo.characters import CHARACTERS\n"
        "from parley.connectors.demo.conversations import SHIPPED, read_library\n"
        "from parley.kernel.messages import Message\n"
        f"for prompt in {PROMPTS!r}:\n"
        "    for character in CHARACTERS.values():\n"
        "        print(answer(read_library(SHIPPED), character, [Message('user', prompt)], 7).text)\n"
    )
    runs: list[str] = []
    for seed in ("1", "2"):
        env = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
        )
        runs.append(done.stdout)
    here = "".join(
        f"{say(character, prompt, seed=7).text}\n" for prompt in PROMPTS for character in CHARACTERS
    )
    assert runs == [here, here]


def test_another_seed_may_give_another_haiku() -> None:
    texts = {say("demo-lyra", "Write a haiku about rate limits", seed=seed).text for seed in range(12)}
    assert len(texts) == 3


# ── what is not recorded ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("prompt", UNRECORDED)
@pytest.mark.parametrize("character", CHARACTERS)
def test_what_is_not_recorded_is_admitted_with_questions_that_are(character: str, prompt: str) -> None:
    text = say(character, prompt).text
    assert re.search("recorded|No song of mine", text)
    offered = re.findall("“(.*)”", text)
    assert len(set(offered)) == 4
    assert set(offered) <= set(LISTED)


@pytest.mark.parametrize(
    ("prompt", "word", "first"),
    [
        ("Wie lerne ich am besten Französisch?", "aufgezeichnet|noch nie|Notizen", "Was ist der Unterschied"),
        (
            "Comment réduire le temps des réunions dans notre équipe ?",
            "enregistr|nul chant|notes",
            "Explique",
        ),
    ],
)
@pytest.mark.parametrize("character", CHARACTERS)
def test_it_is_admitted_in_the_language_of_the_question(
    character: str, prompt: str, word: str, first: str
) -> None:
    text = say(character, prompt).text
    assert re.search(word, text)
    assert first in text


def test_questions_that_are_like_the_one_asked_are_offered_first() -> None:
    text = say("demo-tilo", "What is 17% of 4,180, step by step?").text
    assert re.findall("“(.*)”", text)[0] == "What is 17% of 2,340, step by step?"


# ── follow-ups ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("prompt", LISTED)
@pytest.mark.parametrize("follow_up", ["Shorter please", "why?", "Give me an example"])
def test_each_question_has_its_follow_ups(prompt: str, follow_up: str) -> None:
    name = {"S": "short", "w": "why", "G": "example"}[follow_up[0]]
    recorded = next(one for one in LIBRARY.conversations if one.question == prompt).texts[name]
    for character in CHARACTERS:
        assert recorded in say(character, prompt, follow_up).text


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_follow_up_of_a_follow_up_is_about_the_same_question(character: str) -> None:
    text = say(character, "convert 10 miles to km", "why?", "Who are you?", "thanks", "in one sentence").text
    assert "16.09344 km" in text


@pytest.mark.parametrize(
    "follow_up", ["shorter", "why?", "for example?", "are you sure?", "thanks", "another one"]
)
def test_a_follow_up_of_nothing_is_answered_all_the_same(follow_up: str) -> None:
    for character in CHARACTERS:
        text = say(character, follow_up).text
        assert text
        assert "{{" not in text


# ── streaming ────────────────────────────────────────────────────────────────────────────────────


async def test_the_speech_is_streamed_whole_with_its_usage() -> None:
    chunks = await collect("demo-ada", "What is a p-value?")
    speech = say("demo-ada", "What is a p-value?")
    assert text_of(chunks) == speech.text
    assert chunks[-2] == Finish("stop")
    usage = chunks[-1]
    assert isinstance(usage, Usage)
    assert usage.output_tokens == len(pieces_of(speech.text)) + len(pieces_of(speech.reasoning))
    assert usage.reasoning_tokens == len(pieces_of(speech.reasoning))


async def test_the_limit_of_output_tokens_is_kept() -> None:
    chunks = await collect("demo-tilo", "What is a p-value?", max_output_tokens=5)
    assert chunks[-2] == Finish("length")
    assert isinstance(chunks[-1], Usage)
    assert chunks[-1].output_tokens == 5


@on_virtual_time
async def test_speeds_differ_and_scale() -> None:
    async def time_of(model: str, speed: float) -> float:
        start = asyncio.get_running_loop().time()
        await collect(model, "What is a p-value?", speed=speed)
        return asyncio.get_running_loop().time() - start

    slow = await time_of("demo-lyra", 20)
    assert slow > 2 * await time_of("demo-pico", 20)
    assert await time_of("demo-lyra", 200) == pytest.approx(slow / 10)


def test_speeds_and_waits_are_those_of_real_models() -> None:
    assert all(35 <= character.tokens_per_second <= 180 for character in CHARACTERS.values())
    assert all(0.1 <= character.first_token_s <= 0.8 for character in CHARACTERS.values())


@pytest.mark.parametrize(
    "text",
    ["", "a", "naïve 日本語 🜁\n\n```py\nx = 1\n```\n", "under_score __x__ 3.14", "  \t lead", "a\r\nb"],
)
def test_the_pieces_of_a_text_join_to_the_text(text: str) -> None:
    assert "".join(pieces_of(text)) == text


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "nan", "inf"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    with pytest.raises(Invalid):
        DemoConnector(Provider("demo", "demo", f"demo://?speed={speed}"))


def test_every_word_of_the_catalog_says_that_it_is_a_demo() -> None:
    _, models = demo_catalog()
    assert {model.id for model in models} == {*CHARACTERS, *PAINTERS}
    words = ("not a language model", "not an image model")
    descriptions = [model.description or "" for model in models]
    assert all(any(each in description for each in words) for description in descriptions)
    assert any(model.prices for model in models)


# ── faults ───────────────────────────────────────────────────────────────────────────────────────


async def test_a_model_fails() -> None:
    with pytest.raises(Rejected):
        await collect("demo-fails")


async def test_a_model_stalls() -> None:
    heard: list[Chunk] = []
    chunks = connector().stream(ChatRequest(model="demo-stalls", messages=(Message("user", "x"),)))
    async with asyncio.timeout(40):
        while text_of(heard) != "This answer was ":
            heard.append(await anext(chunks))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(chunks), 0.2)


async def test_a_model_breaks_off() -> None:
    chunks = await collect("demo-breaks")
    assert text_of(chunks)
    assert not [chunk for chunk in chunks if isinstance(chunk, Finish)]


async def test_a_model_has_nothing_to_say() -> None:
    assert [type(chunk) for chunk in await collect("demo-silent")] == [Finish, Usage]


async def test_a_model_is_busy_twice_and_then_answers() -> None:
    busy, request = connector(), ChatRequest(model="demo-busy", messages=(Message("user", "x"),))
    for _ in range(2):
        with pytest.raises(Overloaded):
            await anext(busy.stream(request))
    assert text_of([chunk async for chunk in busy.stream(request)])


async def test_slow_and_late_models_answer_in_the_end() -> None:
    assert text_of(await collect("demo-slow")) == text_of(await collect("demo-late"))
    assert {model.id for model in faulty_catalog()[1]} >= {"demo-slow", "demo-late"}


async def test_pictures_and_texts_do_not_hide_the_question() -> None:
    asked = "Write a haiku about rate limits"
    parts = (ImagePart("0" * 64, "image/png"), TextPart('<file name="t.csv">a,b</file>'), TextPart(asked))
    request = ChatRequest(model="demo-tilo", messages=(Message("user", parts),), attached={"0" * 64: b""})
    said = text_of([chunk async for chunk in connector().stream(request)])
    assert said == f"{UNSEEN}\n\n{text_of(await collect('demo-tilo', asked))}"


def test_a_painters_picture_has_a_price_of_its_own() -> None:
    costs = {name: painter.prices.cost_micros(0, 0, images=1) for name, painter in PAINTERS.items()}
    assert costs == {"demo-mira": 20_000, "demo-otto": 40_000}
