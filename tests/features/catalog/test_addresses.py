"""Tests of mending addresses of model servers as people write them."""

import pytest

from parley.features.catalog.addresses import base_url_of, mended_address, same_server


@pytest.mark.parametrize(
    "written",
    [
        "http://127.0.0.1:8000/v1",
        "http://127.0.0.1:8000",
        "http://127.0.0.1:8000/",
        "http://127.0.0.1:8000//",
        "http://127.0.0.1:8000/v1///",
        "http://127.0.0.1:8000//v1/",
        "http://127.0.0.1:8000/V1",
        "http://127.0.0.1:8000/v1/v1",
        "HTTP://127.0.0.1:8000/v1",
        "http:/127.0.0.1:8000/v1",
        "http//127.0.0.1:8000/v1",
        "http:\\\\127.0.0.1:8000\\v1",
        "127.0.0.1:8000",
        "127.0.0.1:8000/v1",
        "//127.0.0.1:8000/v1",
        " \u200bhttp://127.0.0.1:8000/v1\ufeff\n",
        '"http://127.0.0.1:8000/v1"',
        "“http://127.0.0.1:8000/v1”",
        "<http://127.0.0.1:8000/v1>,",
        "`http://127.0.0.1:8000/v1`.",
        "OPENAI_BASE_URL=http://127.0.0.1:8000/v1",
        "export OPENAI_API_BASE='http://127.0.0.1:8000/v1'",
        "http://0.0.0.0:8000/v1",
        "http://127.0.0.1:8000/v1/models",
        "http://127.0.0.1:8000/v1/models/",
        "http://127.0.0.1:8000/v1/models/org/name",
        "http://127.0.0.1:8000/v1/models?limit=1000",
        "http://127.0.0.1:8000/v1/models#top",
        "http://127.0.0.1:8000/models",
        "http://127.0.0.1:8000/v1/chat",
        "http://127.0.0.1:8000/v1/chat/completions",
        "http://127.0.0.1:8000/V1/Chat/Completions/",
        "http://127.0.0.1:8000/chat/completions",
        "http://127.0.0.1:8000/v1/chat/completions?stream=true",
        "http://127.0.0.1:8000/v1/completions",
        "http://127.0.0.1:8000/completion",
        "http://127.0.0.1:8000/v1/embeddings",
        "http://127.0.0.1:8000/v1/responses",
        "http://127.0.0.1:8000/v1/messages",
        "http://127.0.0.1:8000/v1/images/generations",
        "http://127.0.0.1:8000/v1/audio/speech",
        "http://127.0.0.1:8000/health",
        "http://127.0.0.1:8000/props",
        "http://127.0.0.1:8000/docs#/",
        "http://127.0.0.1:8000/openapi.json",
        "http://127.0.0.1:8000/api",
        "http://127.0.0.1:8000/api/tags",
        "http://127.0.0.1:8000/api/chat",
        "http://127.0.0.1:8000/api/generate/",
        "http://127.0.0.1:8000/api/v0/models",
    ],
)
def test_every_spelling_of_an_address_leads_to_the_same_api(written: str) -> None:
    assert base_url_of("openai", written) == "http://127.0.0.1:8000/v1"
    assert base_url_of("openai", mended_address(written)) == "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("written", "base_url"),
    [
        ("localhost", "http://localhost/v1"),
        ("LOCALHOST:11434/api/tags", "http://localhost:11434/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("http://[::]:8080", "http://[::1]:8080/v1"),
        ("nas.local:8080", "http://nas.local:8080/v1"),
        ("ollama:11434", "http://ollama:11434/v1"),
        ("192.168.1.20:1234", "http://192.168.1.20:1234/v1"),
        ("models.example.org", "https://models.example.org/v1"),
        ("Models.Example.org:8443/Team/v1/models", "https://models.example.org:8443/Team/v1"),
        ("https://gateway.example.org/openai", "https://gateway.example.org/openai"),
        ("https://gateway.example.org/litellm/chat/completions", "https://gateway.example.org/litellm"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/v1/models", "https://openrouter.ai/api/v1"),
        ("https://api.groq.com/v1", "https://api.groq.com/openai/v1"),
        ("https://api.perplexity.ai/chat/completions", "https://api.perplexity.ai"),
        (
            "https://generativelanguage.googleapis.com/v1beta/models",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        ("https://team.openai.azure.com/", "https://team.openai.azure.com/openai/v1"),
        ("https://team.openai.azure.com/openai/v1/", "https://team.openai.azure.com/openai/v1"),
        (
            "https://team.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21",
            "https://team.openai.azure.com/openai/v1",
        ),
        (
            "https://team.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview",
            "https://team.services.ai.azure.com/openai/v1",
        ),
    ],
)
def test_scheme_and_path_come_from_the_place(written: str, base_url: str) -> None:
    assert base_url_of("openai", written) == base_url
    assert base_url_of("openai", base_url) == base_url


def test_an_address_of_another_dialect_gets_no_path() -> None:
    assert base_url_of("anyllm-anthropic", "https://api.anthropic.com/") == "https://api.anthropic.com"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "must be a web address"),
        ("http://", "must be a web address"),
        ("ftp://host/v1", "must be a web address"),
        ("file:///models", "must be a web address"),
        ("nonsense", "must be a web address"),
        ("http://a host/v1", "must be a web address"),
        ("http://host:port/v1", "is not a web address"),
        ("http://user:s3cret@host/v1", "put the key in api_key"),
        ("http://host/v1?key=s3cret", "put the key in api_key"),
        ("http://host/v1?api_key=s3cret", "put the key in api_key"),
        ("https://gateway.example.org/openai?api-version=2024-10-21", "NAME.openai.azure.com/openai/v1"),
    ],
)
def test_what_cannot_be_mended_is_refused_without_being_repeated(written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refusal:
        mended_address(written)
    assert "s3cret" not in str(refusal.value)


def test_the_names_of_this_computer_are_one_server() -> None:
    assert same_server("http://localhost:11434/v1", "http://127.0.0.1:11434/v1/")
    assert same_server("https://example.org/v1", "https://example.org:443/v1")
    assert not same_server("http://localhost:1/v1", "http://localhost:2/v1")
    assert not same_server("http://localhost:1/a/v1", "http://localhost:1/b/v1")
    assert not same_server(None, None)
