"""An operator's own category, as the settings file has it."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from parley.text.categories.ids import BUILT_IN, LANGUAGE_PREFIX, PAGES
from parley.text.categories.own import WORD_CHARS_MAX, WORDS_MAX, OwnCategory

Word = Annotated[str, Field(min_length=1, max_length=WORD_CHARS_MAX)]
Words = Annotated[tuple[Word, ...], Field(max_length=WORDS_MAX)]


class CategorySetting(BaseModel):
    """An operator's category: the prompts that contain one of `any` and each of `all`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: Annotated[str, Field(max_length=40)]
    title: Annotated[str, Field(min_length=1, max_length=60)]
    description: Annotated[str, Field(max_length=200)] = ""
    any: Words = ()
    all: Words = ()

    @field_validator("id")
    @classmethod
    def _new_id(cls, category_id: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", category_id):
            raise ValueError("must be lower-case letters, digits and hyphens, as in “legal-questions”")
        if category_id in BUILT_IN or category_id.startswith(LANGUAGE_PREFIX):
            raise ValueError("is a built-in category; choose another id")
        if category_id in PAGES:
            raise ValueError("is the name of a leaderboard page; choose another id")
        return category_id

    @field_validator("any", "all")
    @classmethod
    def _specific(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        for word in words:
            if len(word.replace("*", "").strip()) < 2:
                raise ValueError(f"“{word}” would match almost everything; use two letters or more")
            if any(part.count("*") > 1 for part in word.split()):
                raise ValueError(f"“{word}” has more than one * in a word")
        return words

    @model_validator(mode="after")
    def _says_something(self) -> "CategorySetting":
        if not self.any and not self.all:
            raise ValueError("needs words in “any”, “all” or both")
        return self

    def own(self) -> OwnCategory:
        """Return the category in the form the rules use."""
        return OwnCategory(self.id, self.title, self.description or self.title, self.any, self.all)


def check_distinct(categories: tuple[CategorySetting, ...]) -> tuple[CategorySetting, ...]:
    """Return categories, of which no two have the same id. Raises ValueError."""
    ids = [category.id for category in categories]
    if twice := next((category_id for category_id in ids if ids.count(category_id) > 1), None):
        raise ValueError(f"“{twice}” appears twice")
    return categories
