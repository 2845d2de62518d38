"""Tests of contestants: the ids that presets get as models."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.features.catalog.schemas import ModelEntry
from parley.features.contestants.contestants import slug_of


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Review board", "review-board"),
        ("Él  & sus ¿amigos?", "el-sus-amigos"),
        ("中文", "preset"),
        ("-r1", "r1"),
    ],
)
def test_a_slug_is_the_name_in_plain_letters(name: str, slug: str) -> None:
    assert slug_of(name, lambda _: False) == slug


@given(st.text(max_size=200), st.integers(0, 99))
def test_every_name_gives_ids_that_a_model_may_have(name: str, taken: int) -> None:
    slugs: list[str] = []

    def is_taken(slug: str) -> bool:
        slugs.append(slug)
        return len(slugs) <= taken

    slug = slug_of(name, is_taken)
    assert len(set(slugs)) == len(slugs) == taken + 1
    model_id = f"{slug}-r100000"
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,63}", model_id)
    assert ModelEntry(id=model_id, connector="openai", model="x").id == model_id
