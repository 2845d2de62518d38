"""Tests of the names that tell whether a model takes a reasoning effort."""

import pytest

from parley.features.catalog.known_models.effort import takes_effort


@pytest.mark.parametrize(
    "model",
    [
        "o1",
        "openai/o4-mini",
        "gpt-5.1",
        "gpt-oss:20b",
        "anthropic/claude-sonnet-4.5",
        "claude-3-7-sonnet-latest",
        "us.anthropic.claude-opus-4-1-v1:0",
        "models/gemini-2.5-pro",
        "grok-3-mini",
    ],
)
def test_models_that_take_an_effort_are_known_in_any_spelling(model: str) -> None:
    assert takes_effort(model)


@pytest.mark.parametrize(
    "model",
    [
        "o1-mini",
        "gpt-5-chat-latest",
        "gpt-4o",
        "claude-3-5-sonnet",
        "gemini-2.5-flash-image",
        "grok-4",
        "foo1",
    ],
)
def test_models_that_refuse_an_effort_are_not_listed(model: str) -> None:
    assert not takes_effort(model)
