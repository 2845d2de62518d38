"""Tests of learning: choices move the models for questions like them, by so much as they are foretold unseen."""

import random
import time

from parley.features.auto.learning import CONFIRMED, FEWEST, MOST, MOST_POINTS, Choice, Lessons, features
from tests.cpu_budget import slowness_now

POEMS = (
    "Write a poem about rain",
    "Write a poem about moss",
    "Write a short poem about tides",
    "A poem on chess",
)
CODE = ("Fix this Python function", "Why does this Python loop end early?", "Make this Python class faster")
TAUGHT = [Choice(text, "writing", "poet", "best") for text in POEMS] + [
    Choice(text, "code", "coder", "best") for text in CODE
]


def pair_of(chance: random.Random) -> tuple[str, str]:
    """Two different models."""
    one, other = chance.sample(["a", "b", "c"], 2)
    return one, other


def test_what_was_used_instead_gains_for_questions_like_it() -> None:
    lessons = Lessons(TAUGHT)
    poem, code = (
        lessons.points("Write a poem about trains", "writing"),
        lessons.points("Explain this Python code", "code"),
    )
    assert poem["poet"] > 20 > poem.get("coder", 0)
    assert code["coder"] > 20 > code.get("poet", 0)
    assert poem["best"] < 0 > code["best"]
    assert all(abs(points) <= MOST_POINTS for points in (*poem.values(), *code.values()))
    assert (lessons.learning.choices, lessons.learning.foretold, lessons.learning.used) == (7, 7, True)


def test_too_few_choices_change_nothing() -> None:
    lessons = Lessons(TAUGHT[: FEWEST - 1])
    assert lessons.points("Write a poem about trains", "writing") == {}
    assert not lessons.learning.used


def test_choices_that_contradict_each_other_do_not_count() -> None:
    split = [Choice("Tell me a joke", "chat", *pair) for pair in (("a", "b"), ("b", "a")) * 5]
    lessons = Lessons(split)
    assert lessons.learning.foretold * 2 <= lessons.learning.choices
    assert lessons.points("Tell me a joke", "chat") == {}


def test_what_was_kept_holds_against_few_choices_of_another() -> None:
    others = [Choice(f"Tell me a joke, {n}", "chat", "b", "a") for n in range(3)]
    left = [Choice(f"Tell me a joke, {n}", "chat", "a", "b", confirmed=True) for n in range(40)]
    alone, both = (Lessons(choices).learning for choices in (others, left + others))
    assert (alone.foretold, alone.used) == (3, True)
    assert (both.confirmed, both.used) == (40, False)
    assert CONFIRMED < 1


def test_each_choice_is_tried_without_having_seen_it() -> None:
    chance = random.Random(3)
    choices = [Choice(f"{chance.choice(POEMS)} {n}", "writing", *pair_of(chance)) for n in range(12)]
    right = 0
    for at, choice in enumerate(choices):
        lessons = Lessons([*choices[:at], *choices[at + 1 :]])
        lessons.learning = lessons.learning.__class__(
            choices=0, foretold=0, confirmed=0, confirmed_foretold=0, used=True
        )
        points = lessons.points(choice.text, choice.kind)
        right += points.get(choice.used, 0) > points.get(choice.over, 0)
    assert Lessons(choices).learning.foretold == right


def test_features_have_length_one_and_ignore_order() -> None:
    assert abs(float((features("rain and moss", "chat") ** 2).sum()) - 1) < 1e-9
    assert (features("rain and moss", "chat") == features("moss and rain", "chat")).all()
    assert (features("", "chat") != features("", "code")).any()


def test_three_hundred_choices_are_learned_in_a_moment() -> None:
    many = [Choice(f"{chance} {n} " * 30, "chat", f"m{n % 9}", "best") for n, chance in enumerate(POEMS * 75)]
    began = time.process_time()
    lessons = Lessons(many)
    lessons.points("Write a poem", "writing")
    assert lessons.learning.choices == MOST
    assert time.process_time() - began < 1.0 * max(1.0, slowness_now())
