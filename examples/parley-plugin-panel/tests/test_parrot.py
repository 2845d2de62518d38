"""Parrots keep the contract of a connector: they answer in order, keep a limit, and refuse what they cannot do."""

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.messages import ImagePart, Message
from parley.kernel.options import AskOptions, Tool
from parley.testing import read_answer
from parley_plugin_panel.parrot import BIRDS, Parrot

ASKED = "Tea or coffee? Tea is warm. Coffee is warm too."


def a_parrot() -> Parrot:
    return Parrot(wait_s=0)


@pytest.mark.parametrize(
    ("bird", "said"),
    [
        ("repeat", f"You said: {ASKED}"),
        ("count", "Words: 10, sentences: 3."),
        ("rank", "The words I heard most: tea (2), coffee (2), warm (2)."),
        ("question", "Still open: Tea or coffee?"),
    ],
)
async def test_each_says_something_of_what_it_heard(bird: str, said: str) -> None:
    answer = await read_answer(a_parrot(), bird, ASKED)
    assert answer.text == f"Answer 1. {said}"
    assert answer.finish == "stop"
    assert len(answer.pieces) == len(answer.text.split())


async def test_it_knows_how_often_it_spoke_and_its_rules() -> None:
    talk = (Message("system", "Be kind."), Message("user", "Hi."), Message("assistant", "Hi!"))
    answer = await read_answer(a_parrot(), "count", *talk, "And now?")
    assert answer.text == "Answer 2. Words: 2, sentences: 1. I keep in mind: Be kind."


async def test_it_keeps_a_limit_of_words() -> None:
    answer = await read_answer(a_parrot(), "repeat", ASKED, options=AskOptions(max_output_tokens=3))
    assert (answer.text.split(), answer.finish) == (["Answer", "1.", "You"], "length")
    assert answer.usage is not None
    assert answer.usage.output_tokens == 3


async def test_a_seed_and_a_temperature_of_0_are_what_it_does_anyway() -> None:
    asked = AskOptions(seed=7, temperature=0.0)
    assert await read_answer(a_parrot(), "rank", ASKED, options=asked) == await read_answer(
        a_parrot(), "rank", ASKED
    )


@pytest.mark.parametrize(
    "options",
    [
        AskOptions(temperature=0.7),
        AskOptions(json_schema={"type": "object"}),
        AskOptions(tools=(Tool(name="clock", description="Tells the time.", parameters={}),)),
    ],
)
async def test_it_refuses_what_it_cannot_do(options: AskOptions) -> None:
    with pytest.raises(Rejected):
        await read_answer(a_parrot(), "repeat", ASKED, options=options)


async def test_it_refuses_pictures_and_names_it_does_not_know() -> None:
    with pytest.raises(Rejected):
        await read_answer(a_parrot(), "repeat", Message("user", (ImagePart("1" * 64, "image/png"),)))
    with pytest.raises(Rejected):
        await read_answer(a_parrot(), "eagle", ASKED)


async def test_it_lists_its_models_and_speaks_word_by_word() -> None:
    parrot = Parrot(wait_s=0.001)
    assert await parrot.list_models() == tuple(BIRDS)
    assert (await read_answer(parrot, "repeat", "Hi there.")).pieces[-2:] == ["Hi ", "there."]
