"""Tests of the features together: each imports another only along its needs, and nobody's repository but its own."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from parley.application import built_in_features
from parley.features import FEATURES
from parley.features.feature import Feature, FeatureError, Features

FOLDER = Path(importlib.import_module("parley.features").__path__[0])


def imports() -> Iterator[tuple[str, str, str]]:
    """Yield (feature, other feature, module) for each import of one feature's module in another."""
    for path in FOLDER.glob("*/**/*.py"):
        feature = path.relative_to(FOLDER).parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("parley.features."):
                other, _, module = str(node.module).removeprefix("parley.features.").partition(".")
                if module and other != feature:
                    yield feature, other, module


def test_every_folder_is_a_feature_of_the_list() -> None:
    assert sorted(path.parent.name for path in FOLDER.glob("*/feature.py")) == sorted(FEATURES)
    assert [feature.name for feature in built_in_features()] == list(FEATURES)


def test_a_feature_imports_only_what_it_needs() -> None:
    needs = {feature.name: set(feature.needs) for feature in built_in_features()}
    assert {(feature, other) for feature, other, _ in imports() if other not in needs[feature]} == set()


def test_a_repository_is_imported_in_its_own_feature_alone() -> None:
    assert [found for found in imports() if found[2].endswith("repository")] == []


def test_features_are_built_after_what_they_need() -> None:
    features = Features([Feature(name="b", needs=("a",)), Feature(name="a"), Feature(name="c", needs=("b",))])
    assert [feature.name for feature in features] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("features", "words"),
    [
        ([Feature(name="a", needs=("b",)), Feature(name="b", needs=("a",))], "a → b → a"),
        ([Feature(name="a", needs=("c",))], "needs “c”, which is not there"),
        ([Feature(name="a"), Feature(name="a")], "two features named “a”"),
    ],
)
def test_features_that_do_not_fit_together_are_refused(features: list[Feature], words: str) -> None:
    with pytest.raises(FeatureError, match=words):
        Features(features)
