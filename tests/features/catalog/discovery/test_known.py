"""Tests of the known providers: what the data promises, and keys in the environment."""

from urllib.parse import urlsplit

import pytest

from parley.connectors import parley_connectors
from parley.features.catalog.discovery.known import (
    KeyInEnvironment,
    keys_in_environment,
    known_at,
    known_provider,
    known_providers,
)
from parley.features.catalog.schemas import ProviderEntry
from parley.wire.egress import origin_of

IDS = (
    *("openai", "anthropic", "gemini", "mistral", "groq", "openrouter", "deepseek", "xai", "together"),
    *("fireworks", "cerebras", "perplexity", "cohere", "bedrock"),
    *("ollama", "lmstudio", "vllm", "llamacpp", "jan", "localai", "litellm", "a1111", "comfyui", "custom"),
)


def test_the_known_providers_are_all_there_and_custom_is_the_last() -> None:
    assert [known.id for known in known_providers()] == list(IDS)


@pytest.mark.parametrize("known", known_providers(), ids=lambda known: known.id)
def test_every_known_provider_can_stand_in_a_model_list(known: object) -> None:
    provider = known_provider(getattr(known, "id", ""))
    assert provider is not None
    ProviderEntry(id=provider.id, connector=provider.connector, base_url=provider.base_url)
    if provider.id == "custom":
        assert provider.base_url is None
        return
    assert provider.base_url is not None
    parts = urlsplit(provider.base_url)
    assert parts.scheme == ("http" if provider.local else "https")
    assert (parts.hostname == "127.0.0.1") is provider.local
    assert provider.needs_key is not provider.local
    assert bool(provider.start) is provider.local
    if provider.needs_key:
        assert provider.key_url is not None
        assert provider.key_url.startswith("https://")
        assert provider.key_variable is not None
        assert provider.key_variable.endswith("_API_KEY") or provider.id == "bedrock"


def test_every_known_provider_has_a_connector() -> None:
    assert {known.connector for known in known_providers()} <= parley_connectors().keys()
    litellm = known_provider("litellm")
    assert litellm is not None
    assert litellm.connector == "litellm-proxy"


def test_a_hosted_provider_is_recognised_by_its_address_and_a_local_one_is_not() -> None:
    for known in known_providers():
        if known.base_url and not known.local:
            assert known_at(known.base_url) == known
            assert known.origin == origin_of(known.base_url)
    assert known_at("http://127.0.0.1:11434/v1") is None
    assert known_at("https://api.openai.com.example.org/v1") is None
    assert known_at("nonsense") is None


def test_keys_in_the_environment_are_named_and_never_shown() -> None:
    variables = {
        "OPENAI_API_KEY": "canary-one",
        "ANTHROPIC_API_KEY": "   ",
        "GOOGLE_API_KEY": "canary-two",
        "PATH": "/usr/bin",
    }
    found = keys_in_environment(variables)
    assert found == (
        KeyInEnvironment(variable="OPENAI_API_KEY", known="openai", name="OpenAI"),
        KeyInEnvironment(variable="GOOGLE_API_KEY", known="gemini", name="Google Gemini"),
    )
    assert "canary" not in repr(found)


def test_the_usual_variable_comes_before_its_other_names() -> None:
    found = keys_in_environment({"GOOGLE_API_KEY": "a", "GEMINI_API_KEY": "b"})
    assert [key.variable for key in found] == ["GEMINI_API_KEY"]
