"""Categories of prompts: the list, and those of a match."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from parley.text.categories.ids import LANGUAGE_PREFIX, LONG_PROMPTS, MULTI_TURN, OVERALL, VISION
from parley.text.categories.language import LANGUAGES, detect
from parley.text.categories.own import OwnCategory
from parley.text.categories.topics import TOPICS, long_prompt, topics_of

CategoryKind: TypeAlias = Literal["overall", "topic", "language", "operator"]

LOOKED_AT = 4_000
"""Characters of a prompt that the rules read: its first two thirds of this, and its last third."""

LOOKED_AT_IN_ALL = 8_000
"""Characters of all prompts that the rules read, from the first one on: this bounds the time of a vote."""


class Category(msgspec.Struct, frozen=True):
    """A category; `kind` says where it comes from."""

    id: str
    title: str
    kind: CategoryKind
    description: str


class Reason(msgspec.Struct, frozen=True):
    """Why a match is in a category: the rule in plain words, and what matched it."""

    category: str
    rule: str
    matched: str


def _built_in() -> Iterable[Category]:
    yield Category(OVERALL, "Overall", "overall", "Every vote.")
    for topic in TOPICS:
        yield Category(topic.id, topic.title, "topic", topic.description)
    for code, name in LANGUAGES.items():
        yield Category(LANGUAGE_PREFIX + code, name, "language", f"What is asked is in {name}.")


CATEGORIES: tuple[Category, ...] = tuple(_built_in())
"""The categories of every installation, in the order in which they are shown."""


class Categories:
    """All categories of an installation: the built-in ones, then the operator's own."""

    def __init__(self, own: Sequence[OwnCategory] = ()) -> None:
        self.own = tuple(own)
        """The operator's own categories."""
        mine = tuple(Category(it.id, it.title, "operator", it.description) for it in own)
        self.all: tuple[Category, ...] = (*CATEGORIES, *mine)
        """Every category, in the order in which they are shown."""
        self._by_id = {category.id: category for category in self.all}

    def get(self, category_id: str) -> Category | None:
        """Return a category; None if it does not exist (any more)."""
        return self._by_id.get(category_id)

    def categorise(self, prompts: Sequence[str], pictures: int = 0) -> tuple[str, ...]:
        """Return the ids of the categories that a match's prompts are in, sorted; never `overall`."""
        return tuple(sorted({reason.category for reason in self.explain(prompts, pictures)}))

    def explain(self, prompts: Sequence[str], pictures: int = 0) -> tuple[Reason, ...]:
        """Return why a match's prompts are in their categories: a reason or more of each, in a fixed order.

        `pictures` is how many came with them.
        """
        texts = list(_bounded(prompts))
        reasons: list[Reason] = []
        for text in texts:
            reasons += (Reason(topic, rule, matched) for topic, rule, matched in topics_of(text))
        reasons += (
            Reason(LONG_PROMPTS, "a long prompt", why) for prompt in prompts if (why := long_prompt(prompt))
        )
        if len(prompts) > 1:
            reasons.append(Reason(MULTI_TURN, "more than one prompt", f"{len(prompts)} prompts"))
        if pictures:
            reasons.append(Reason(VISION, "a picture", f"{pictures} picture{'s' if pictures > 1 else ''}"))
        if language := detect("\n".join(texts)):
            reasons.append(Reason(LANGUAGE_PREFIX + language, "its letters", LANGUAGES[language]))
        for own in self.own:
            reasons += (
                Reason(own.id, "your own words", matched) for text in texts for matched in own.match(text)
            )
        return tuple(dict.fromkeys(reasons))


_BUILT_IN = Categories()


def categorise(prompts: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the built-in categories that a match's prompts are in, sorted; never `overall`."""
    return _BUILT_IN.categorise(prompts)


def explain(prompts: Sequence[str]) -> tuple[Reason, ...]:
    """Return why a match's prompts are in their built-in categories."""
    return _BUILT_IN.explain(prompts)


def _bounded(prompts: Sequence[str]) -> Iterable[str]:
    left = LOOKED_AT_IN_ALL
    for prompt in prompts:
        share = min(LOOKED_AT, left)
        left -= min(len(prompt), share)
        yield prompt if len(prompt) <= share else f"{prompt[: share * 2 // 3]}\n{prompt[-share // 3 :]}"
        if left <= 0:
            return
