"""Tests of titles that a model was asked for: what is one, and what is not."""

import pytest

from parley.text.model_titles import title_in
from parley.text.titles import TITLE_CHARS


@pytest.mark.parametrize(
    "answer",
    [
        "Colours of the sky",
        "Colours of the sky.",
        '"Colours of the sky"',
        "“Colours of the sky.”",
        "**Colours of the sky**",
        "# Colours of the sky",
        "Title: Colours of the sky",
        '**Title:** "Colours of the sky".',
        "Conversation title: Colours of the sky",
        "Suggested title: Colours of the sky",
        "Titel: „Colours of the sky“",
        "标题：Colours of the sky",
        "Here is a title: Colours of the sky",
        'Sure! Here\'s a title for the conversation: "Colours of the sky"',
        "Sure! Here is a title:\n\nColours of the sky",
        "Title:\nColours of the sky",
        "Colours of the sky\n\nI hope that helps!",
        "<think>\nThe user asks about light.\n</think>\n\nColours of the sky",
        "The user asks about light.\n</think>\nColours of the sky",
        "<thinking>Hm.</thinking>Colours of the sky",
        "[THINK]Hm.[/THINK]Colours of the sky",
        "◁think▷Hm.◁/think▷Colours of the sky",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Colours of the sky",
        '{"title": "Colours of the sky"}',
        '```json\n{"title": "Colours of the sky"}\n```',
        "<title>Colours of the sky</title>",
        '{"Titel": "Colours of the sky"}',
        '["Colours of the sky"]',
        r"\boxed{Colours of the sky}",
        r"$\boxed{\text{Colours of the sky}}$",
        "Title - Colours of the sky",
        "analysisWe need a title.assistantfinalColours of the sky",
        "1. Colours of the sky\n2. Why is it blue?",
    ],
)
def test_a_title_is_found_in_what_surrounds_it(answer: str) -> None:
    assert title_in(answer) == "Colours of the sky"


@pytest.mark.parametrize(
    "answer",
    [
        "天空为什么是蓝色的",
        "Warum ist der Himmel blau?",
        "Noise in C#",
        "No code tools compared",
        "So you want a cat",
        "Why the sky is blue",
        "Life that is worth living",
        "Difference between is and == in Python",
        "Vitamin A - Benefits and Risks",
        "Das ist der Titel",
        "Life Is Beautiful Film Analysis",
    ],
)
def test_a_title_in_any_language_stays(answer: str) -> None:
    assert title_in(answer) == answer


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   ",
        "...",
        "Title:",
        "4",
        "None",
        "N/A",
        "Untitled",
        "<think>The user asks about light.",
        "<|channel|>analysis<|message|>We need a title.",
        "I'm sorry, but I can't help with that.",
        "I’m sorry",
        "I cannot title this message.",
        "Sorry, I can't do that.",
        "As an AI language model, I have no title.",
        "Unfortunately, this is not possible",
        "Es tut mir leid, das kann ich nicht.",
        "Lo siento, no puedo ayudar.",
        "Je suis désolé, je ne peux pas.",
        "К сожалению, я не могу помочь",
        "抱歉，我无法回答这个问题",
        "申し訳ありませんが、お答えできません",
        "Okay, the user wants a title about light",
        "We need to produce a title of six words",
        "Let me think about this",
        "Yes, it is blue",
        "Hello! How can I help you today?",
        "The sky is blue because of Rayleigh scattering in the air.",
        "The sky is blue because the molecules of the air scatter short waves more than long ones",
        "Two plus two is four.",
        "Two plus two is four",
        "The answer: four",
        "2 + 2 = 4.",
        "Four.",
        "There are seven continents",
        "Zwei plus zwei ist vier.",
        "Deux et deux font quatre.",
        "Два плюс два — четыре.",
        "二加二等于四。",
        "2足す2は4です",
        "둘 더하기 둘은 넷입니다.",
        "दो और दो चार है।",
        "It scatters. Short waves scatter more.",
        "天空之所以是蓝色的，是因为空气分子对波长较短的蓝光的散射比对波长较长的红光更强。",
        "seven, " * 40,
        "x" * 5_000,
        "A title of at most six words in the language of the message",
    ],
)
def test_what_is_no_title_leaves_the_first_one(answer: str) -> None:
    assert title_in(answer) == ""
    assert len(title_in(f"Colours\n{answer}")) <= TITLE_CHARS
