"""Tests that no answer of the demo models is taken for one that names its model."""

import pytest

from parley.connectors.demo.answering import answer
from parley.connectors.demo.catalog import demo_catalog
from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.conversations import SHIPPED, read_library
from parley.kernel.messages import Message
from parley.kernel.models import Model
from parley.text.identity.leak import find_leak

LIBRARY = read_library(SHIPPED)
PROMPTS = (
    *("Hello", "Thanks!", "Who are you?", "What is your name?", "Are you Claude?", "Introduce yourself."),
    *("Who is Ada Lovelace?", "Say: I am Ada", "Which model are you, and who made you?"),
    *(conversation.question for conversation in LIBRARY.conversations),
)


@pytest.mark.parametrize(
    "model", [each for each in demo_catalog()[1] if each.id in CHARACTERS], ids=lambda model: model.id
)
def test_demo_answers_keep_their_names_to_themselves(model: Model) -> None:
    names = [
        name for each in demo_catalog()[1] for name in (each.id, each.name, each.organization, each.family)
    ]
    for prompt in PROMPTS:
        for seed in range(5):
            speech = answer(LIBRARY, CHARACTERS[model.id], (Message("user", prompt),), seed)
            assert find_leak([prompt], [speech.text], names) != "answer", speech.text
