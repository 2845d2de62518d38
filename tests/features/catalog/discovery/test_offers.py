"""Tests of testing a connection: what is offered, and what is wrong in words that help."""

import asyncio
import ssl
import time
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from parley.features.catalog.discovery import offers
from parley.features.catalog.discovery.findings import Offer
from parley.features.catalog.discovery.known import KnownProvider, known_provider
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.offers import list_offered
from parley.kernel.prices import Prices
from parley.wire.http import HttpClient
from tests.fakes.model_server import ModelServer, Says
from tests.fakes.ports import free_port
from tests.features.catalog.discovery import recordings
from tests.features.catalog.discovery.test_prices import CLAUDE_PRICES

NOW = 1_790_000_000.0
"""September 2026."""

KEY = "test-key-canary-2f9c41d07b"
PATIENCE_S = 30.0


def named(provider_id: str) -> KnownProvider:
    known = known_provider(provider_id)
    assert known is not None
    return known


def moved(provider_id: str, server: ModelServer, path: str = "/v1") -> KnownProvider:
    """Return a hosted provider as if its address were a server of ours."""
    return msgspec.structs.replace(named(provider_id), base_url=server.origin + path)


async def offered(
    known: KnownProvider | str | None, base_url: str, key: str | None = KEY, within_s: float = PATIENCE_S
) -> Offer:
    known = named(known) if isinstance(known, str) else known
    offer = await list_offered(known, base_url, key, now=NOW, within_s=within_s)
    assert KEY not in repr(offer)
    assert KEY.encode() not in msgspec.json.encode(offer)
    return offer


def said(offer: Offer) -> tuple[str, str]:
    """Return what is wrong: the problem's title and detail."""
    assert offer.problem is not None
    return offer.problem.title, offer.problem.detail or ""


# ── what is offered ──────────────────────────────────────────────────────────────────────────────


async def test_models_of_a_hosted_provider_come_with_prices_and_those_that_do_not_chat_are_marked() -> None:
    async with ModelServer({"/v1/models": Says(recordings.OPENAI)}) as server:
        offer = await offered(moved("openai", server), f"{server.origin}/v1")
        (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert offer.ok
    assert offer.problem is None
    assert offer.latency_ms is not None
    assert 0 < offer.latency_ms < PATIENCE_S * 1000
    models = {model.model: model for model in offer.models}
    assert models["gpt-4o"].prices == Prices(2.5, 10.0, 1.25)
    assert models["gpt-4o"].context_window == 128_000
    assert models["gpt-4o"].capabilities == ("text", "vision", "json", "tools")
    assert models["gpt-3.5-turbo"].capabilities == ("text", "json", "tools")
    assert {name: model.purpose for name, model in models.items() if model.purpose != "chat"} == {
        "text-embedding-3-small": "embeddings",
        "omni-moderation-latest": "moderation",
        "whisper-1": "audio",
        "gpt-4o-mini-tts": "audio",
        "gpt-4o-transcribe": "audio",
        "gpt-realtime": "audio",
        "gpt-image-1": "images",
        "dall-e-3": "images",
        "sora-2": "other",
        "babbage-002": "other",
    }


@pytest.mark.parametrize(
    ("provider", "listed", "chosen"),
    [
        # By date, whatever the names say; what costs over 30 dollars per million tokens, or is no chat, is not chosen.
        (
            "openai",
            [
                {"id": "gpt-4o", "created": 500},
                {"id": "gpt-4.1", "created": 900},
                {"id": "gpt-4", "created": 990},
                {"id": "text-embedding-3-small", "created": 995},
                {"id": "gpt-unheard-of", "created": 999},
                {"id": "gpt-4o-mini", "created": 600},
                {"id": "gpt-3.5-turbo", "created": 400},
            ],
            {"gpt-4.1", "gpt-4o", "gpt-4o-mini"},
        ),
        (
            "anthropic",
            [
                {"id": "claude-sonnet-4-5", "created_at": "2025-09-29T00:00:00Z"},
                {"id": "claude-3-haiku-20240307", "created_at": "2024-03-07T00:00:00Z"},
                {"id": "claude-haiku-4-5", "created_at": "2025-10-15T00:00:00Z"},
                {"id": "claude-3-5-haiku-latest", "created_at": "2024-10-22T00:00:00Z"},
            ],
            {"claude-sonnet-4-5", "claude-haiku-4-5", "claude-3-5-haiku-latest"},
        ),
        # Without dates: the numbers in the names.
        (
            "gemini",
            [
                {"id": "models/gemini-1.5-flash"},
                {"id": "models/gemini-2.5-pro"},
                {"id": "models/gemini-2.5-flash"},
                {"id": "models/gemini-2.0-flash"},
            ],
            {"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.0-flash"},
        ),
    ],
)
async def test_the_newest_models_of_a_hosted_provider_are_suggested(
    provider: str, listed: list[dict[str, object]], chosen: set[str]
) -> None:
    known = named(provider)
    assert known.base_url
    path = urlsplit(known.models_path or f"{urlsplit(known.base_url).path}/models").path
    async with ModelServer({path: Says({"data": listed})}) as server:
        prefix = urlsplit(known.base_url).path
        offer = await offered(moved(provider, server, prefix), f"{server.origin}{prefix}")
        here = await offered(provider, f"{server.origin}{prefix}")
    assert {model.model for model in offer.models if model.suggested} == chosen
    # At another address the same names may mean anything.
    assert not any(model.suggested for model in here.models)


async def test_anthropic_gets_its_key_in_its_own_header_and_is_asked_for_all_models() -> None:
    async with ModelServer({"/v1/models": Says(recordings.ANTHROPIC)}) as server:
        offer = await offered(moved("anthropic", server), f"{server.origin}/v1")
        (request,) = server.requests
    assert request.path == "/v1/models?limit=1000"
    assert request.headers["x-api-key"] == KEY
    assert "authorization" not in request.headers
    (model,) = offer.models
    assert (model.name, model.context_window) == ("Claude Sonnet 4.5", 200_000)
    assert model.prices == CLAUDE_PRICES
    assert model.capabilities == ("text", "vision", "tools", "reasoning")


async def test_what_is_known_of_a_provider_holds_only_at_its_own_address() -> None:
    async with ModelServer({"/v1/models": Says(recordings.OPENAI)}) as server:
        offer = await offered("anthropic", f"{server.origin}/v1")
        assert server.requests[0].path == "/v1/models"
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        offer = await offered("openai", f"{server.origin}/v1", key=None)
    assert offer.ok


async def test_what_openrouter_reports_comes_before_what_is_published() -> None:
    table = {"/api/v1/models": Says(recordings.OPENROUTER), "/api/v1/key": Says({"data": {"label": "x"}})}
    async with ModelServer(table) as server:
        offer = await offered(moved("openrouter", server, "/api/v1"), f"{server.origin}/api/v1")
    sonnet, auto, image = offer.models
    assert sonnet.name == "Anthropic: Claude Sonnet 4.5"
    assert sonnet.prices == Prices(3.0, 15.0)
    assert sonnet.capabilities == ("text", "vision", "files", "json", "tools")
    assert (auto.prices, auto.capabilities) == (None, ("text",))
    assert image.purpose == "images"


async def test_a_public_list_does_not_hide_that_the_key_is_refused() -> None:
    table = {"/api/v1/models": Says(recordings.OPENROUTER), "/api/v1/key": Says({"error": {}}, 401)}
    async with ModelServer(table) as server:
        offer = await offered(moved("openrouter", server, "/api/v1"), f"{server.origin}/api/v1")
    assert not offer.ok
    assert said(offer)[0] == "OpenRouter refused the key."


async def test_cohere_is_asked_for_its_models_where_it_lists_them() -> None:
    async with ModelServer({"/v1/models": Says(recordings.COHERE)}) as server:
        base_url = f"{server.origin}/compatibility/v1"
        offer = await offered(moved("cohere", server, "/compatibility/v1"), base_url)
    assert [(model.model, model.purpose) for model in offer.models] == [
        ("command-a-03-2025", "chat"),
        ("embed-v4.0", "embeddings"),
        ("rerank-v3.5", "reranking"),
    ]
    assert offer.models[0].context_window == 288_000
    assert offer.models[0].capabilities == ("text", "json", "tools")


async def test_perplexity_which_may_list_nothing_offers_what_is_known() -> None:
    async with ModelServer() as server:
        offer = await offered(moved("perplexity", server, ""), server.origin)
    assert offer.ok
    assert [model.model for model in offer.models][:2] == ["sonar", "sonar-pro"]
    assert all(model.prices for model in offer.models)


def test_lists_of_other_providers_are_read_with_what_they_add() -> None:
    medium, moderation = read_models(recordings.MISTRAL["data"], named("mistral"))
    assert medium.capabilities == ("text", "vision", "json", "tools")
    assert (medium.context_window, moderation.purpose) == (131_072, "moderation")
    llama, flux = read_models(recordings.TOGETHER, named("together"))
    assert (llama.name, llama.organization) == ("Meta Llama 3.3 70B Instruct Turbo", "Meta")
    assert (llama.prices, flux.purpose) == (Prices(input=0.88, output=0.88), "images")
    flash, embedding, imagen = read_models(recordings.GEMINI["data"], named("gemini"))
    assert (flash.model, flash.name) == ("gemini-2.5-flash", "Gemini 2.5 Flash")
    assert (embedding.purpose, imagen.purpose) == ("embeddings", "images")
    kimi, drawing = read_models(recordings.FIREWORKS["data"], named("fireworks"))
    assert (kimi.model, kimi.name) == ("accounts/fireworks/models/kimi-k2-instruct", "kimi-k2-instruct")
    assert (kimi.capabilities, drawing.purpose) == (("text", "tools"), "images")


@pytest.mark.parametrize("provider", ["ollama", "custom", None])
async def test_a_local_server_also_tells_what_its_own_api_knows(provider: str | None) -> None:
    async with ModelServer(recordings.OLLAMA) as server:
        offer = await offered(provider, f"{server.origin}/v1", key=None)
    assert offer.ok
    assert offer.models[0].model == "llama3.2:3b"
    assert (offer.models[0].context_window, offer.models[0].size_bytes) == (131_072, 2_019_393_189)
    assert offer.models[3].remote


async def test_details_that_never_come_leave_the_list_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "DETAILS_S", 0.3)
    async with ModelServer({**recordings.OLLAMA, "/api/tags": Says(hangs=True)}) as server:
        offer = await offered("ollama", f"{server.origin}/v1", key=None)
    assert offer.ok
    assert [model.size_bytes for model in offer.models] == [None] * 4


@pytest.mark.parametrize("ending", ["", "/", "/models", "/chat/completions", "/chat/completions/ "])
async def test_an_address_is_taken_as_people_paste_it(ending: str) -> None:
    async with ModelServer(recordings.VLLM) as server:
        offer = await offered("vllm", f" {server.origin}/v1{ending}", key=None)
    assert offer.ok


async def test_a_server_without_models_works_and_says_so() -> None:
    async with ModelServer({"/v1/models": Says({"object": "list", "data": None, "models": []})}) as server:
        offer = await offered("ollama", f"{server.origin}/v1", key=None)
        assert offer.ok
        assert said(offer) == (
            f"Ollama at {server.origin} is reachable, but lists no models.",
            "Download one, for example with “ollama pull llama3.2”, then test again.",
        )


@pytest.mark.parametrize("known", ["ollama", "custom", None])
@pytest.mark.parametrize("listed", [{"object": "list", "data": None}, {"object": "list", "data": []}])
async def test_a_fresh_ollama_gets_the_advice_to_pull_a_model(known: str | None, listed: object) -> None:
    fresh = {"/api/version": Says({"version": "0.12.6"}), "/api/tags": Says({"models": None})}
    async with ModelServer({**fresh, "/v1/models": Says(listed)}) as server:
        offer = await offered(known, server.origin, key=None)
        assert offer.ok
        assert "ollama pull" in said(offer)[1]


@pytest.mark.parametrize("provider", ["llamacpp", "custom", None])
@pytest.mark.parametrize("key", [KEY, None])
async def test_a_key_is_tried_by_a_question_where_the_list_is_public(
    provider: str | None, key: str | None
) -> None:
    refusal = Says({"error": {"message": "Invalid API Key", "type": "authentication_error"}}, 401)
    chat = "POST /v1/chat/completions"
    async with ModelServer({**recordings.LLAMA_CPP, chat: refusal}) as server:
        offer = await offered(provider, server.origin, key=key)
        assert offer.problem is not None
        assert offer.problem.code == ("key_refused" if key else "key_missing")
        server.table[chat] = Says({"choices": [{"message": {"content": "Hi"}}]})
        offer = await offered(provider, server.origin, key=key)
        assert offer.ok
        question = next(request for request in server.requests if request.method == "POST")
        asked = msgspec.json.decode(question.body)
        assert (asked["max_tokens"], asked["model"]) == (1, "/models/gemma-3-4b-it-Q4_K_M.gguf")


@pytest.mark.parametrize(
    "says", [Says({"error": {"message": "no such model"}}, 403), Says({}, 429), Says("", 500)]
)
async def test_a_question_that_fails_for_something_else_says_nothing_of_the_key(says: Says) -> None:
    async with ModelServer({**recordings.VLLM, "POST /v1/chat/completions": says}) as server:
        assert (await offered("vllm", server.origin)).ok


async def test_a_question_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "QUESTION_S", 0.2)
    async with ModelServer({**recordings.VLLM, "POST /v1/chat/completions": Says(hangs=True)}) as server:
        assert (await offered("vllm", server.origin)).ok


async def test_the_test_makes_ollama_load_no_model() -> None:
    async with ModelServer(recordings.OLLAMA) as server:
        assert (await offered("custom", server.origin, key=None)).ok
        assert "POST /v1/chat/completions" not in server.paths


async def test_the_context_window_is_the_one_that_is_served() -> None:
    entry = {
        "id": "m",
        "object": "model",
        "owned_by": "llamacpp",
        "meta": {"n_ctx": 2048, "n_ctx_train": 8192},
    }
    async with ModelServer({"/v1/models": Says({"object": "list", "data": [entry]})}) as server:
        for known in ("llamacpp", "custom"):
            assert (await offered(known, server.origin, key=None)).models[0].context_window == 2048
    running = Says({"models": [{"model": "llama3.2:3b", "context_length": 4096}]})
    async with ModelServer({**recordings.OLLAMA, "/api/ps": running}) as server:
        assert (await offered("ollama", server.origin, key=None)).models[0].context_window == 4096


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────


async def test_where_nothing_listens_it_says_what_to_start() -> None:
    origin = f"http://127.0.0.1:{free_port()}"
    offer = await offered("ollama", f"{origin}/v1")
    assert not offer.ok
    assert offer.latency_ms is None
    title, detail = said(offer)
    assert title == f"Nothing is listening at {origin}."
    assert detail == "Start Ollama, then test again. Open the Ollama app, or run “ollama serve”."
    title, detail = said(await offered(None, f"{origin}/v1"))
    assert detail == "Start the server, or check its address, then test again."


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_and_a_missing_one_are_different_problems(status: int) -> None:
    refusal = Says({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status)
    async with ModelServer(otherwise=refusal) as server:
        known = moved("openai", server)
        offer = await offered(known, f"{server.origin}/v1")
        assert offer.problem is not None
        assert offer.problem.code == "key_refused"
        title, detail = said(offer)
        assert title == "OpenAI refused the key."
        assert detail.endswith("You can create a new one at https://platform.openai.com/api-keys.")
        title, _ = said(await offered("vllm", f"{server.origin}/v1", key=None))
        assert title == f"vLLM at {server.origin} requires a key."


async def test_a_provider_that_needs_a_key_is_not_asked_without_one() -> None:
    async with ModelServer() as server:
        offer = await offered(moved("openai", server), f"{server.origin}/v1", key=None)
        assert server.requests == []
    assert said(offer) == (
        "OpenAI requires a key.",
        "Create one at https://platform.openai.com/api-keys, then enter it.",
    )


@pytest.mark.parametrize(
    "path", ["", "/", "/api", "/api/tags", "/api/chat", "/v1/chat", "/v1/embeddings?x=1"]
)
async def test_the_address_that_was_tested_is_the_one_to_save(path: str) -> None:
    async with ModelServer(recordings.OLLAMA) as server:
        for scheme in ("http://", "", "HTTP://"):
            offer = await offered(
                "ollama", f"{scheme}{server.origin.removeprefix('http://')}{path}", key=None
            )
            assert offer.ok
            assert offer.base_url == f"{server.origin}/v1"


async def test_an_address_with_another_path_gets_the_one_that_works() -> None:
    async with ModelServer(recordings.OLLAMA) as server:
        offer = await offered("ollama", f"{server.origin}/openai", key=None)
        assert said(offer) == (
            f"There is no OpenAI-compatible API at {server.origin}/openai.",
            f"Did you mean {server.origin}/v1?",
        )
        assert offer.suggested_base_url == f"{server.origin}/v1"


async def test_a_server_that_answers_every_path_with_an_error_and_200_is_no_api_there() -> None:
    async with ModelServer(recordings.LM_STUDIO_0_2, otherwise=recordings.LM_STUDIO_ERROR) as server:
        offer = await offered("lmstudio", f"{server.origin}/api/v1", key=None)
    assert said(offer)[0] == f"{server.origin}/api/v1 responds, but not with a list of models."
    assert offer.suggested_base_url == f"{server.origin}/v1"


async def test_a_web_page_is_called_one() -> None:
    page = Says("<!doctype html><title>Shop</title>", media_type="text/html")
    async with ModelServer(otherwise=page) as server:
        offer = await offered(None, f"{server.origin}/v1")
    assert said(offer) == (
        f"{server.origin}/v1 is a web page, not an API.",
        "Check the address. It often ends with /v1.",
    )
    assert offer.suggested_base_url is None


async def test_a_key_goes_only_to_the_address_it_was_typed_for(caplog: pytest.LogCaptureFixture) -> None:
    async with ModelServer() as elsewhere, ModelServer() as server:
        hosted = moved("openai", elsewhere)
        await offered(hosted, f"{server.origin}/v1")
        assert elsewhere.requests == []
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    assert KEY not in caplog.text
    assert KEY not in repr(offers._Test(HttpClient(), hosted, server.origin, server.origin, KEY))


async def test_no_redirect_is_followed_and_the_key_stays() -> None:
    async with ModelServer() as other:
        moved_there = Says("", 302, headers={"Location": f"{other.origin}/v1/models"})
        async with ModelServer(otherwise=moved_there) as server:
            offer = await offered(None, f"{server.origin}/v1")
        assert other.requests == []
    assert offer.problem is not None
    assert offer.problem.code == "upstream_redirect"


@pytest.mark.parametrize(
    ("says", "title"),
    [
        (Says({"error": {}}, 402), "reports that the account has no credit left."),
        (Says({"error": {}}, 429), "reached its rate limit."),
        (Says({"error": {"message": "Loading model", "code": 503}}, 503), "is still loading its model."),
        (Says("oops", 500), "is failing right now (status 500)."),
        (Says("Client sent an HTTP request to an HTTPS server.", 400), "accepts only secure connections."),
        (Says({}, 418), "refused the request (status 418)."),
    ],
)
async def test_other_failures_say_what_to_do(says: Says, title: str) -> None:
    async with ModelServer(otherwise=says) as server:
        offer = await offered("llamacpp", f"{server.origin}/v1")
    assert not offer.ok
    assert said(offer)[0] == f"llama.cpp at {server.origin} {title}"
    assert said(offer)[1]


@pytest.mark.parametrize("says", [Says(hangs=True), Says(drips=True)])
async def test_a_server_that_does_not_answer_in_time_is_given_up(says: Says) -> None:
    async with ModelServer(otherwise=says) as server:
        started = time.monotonic()
        offer = await offered("ollama", f"{server.origin}/v1", within_s=0.5)
        assert time.monotonic() - started < 5
        assert said(offer) == (
            f"Ollama at {server.origin} did not answer within 0.5 seconds.",
            "Check that it runs and is not loading a model, then test again.",
        )


async def test_an_endless_list_is_cut_off() -> None:
    async with ModelServer(otherwise=Says(endless=True)) as server:
        offer = await offered("vllm", f"{server.origin}/v1")
    assert offer.problem is not None
    assert offer.problem.code == "list_too_long"


async def test_a_list_of_a_hundred_thousand_models_is_cut_to_what_can_be_shown() -> None:
    many = [{"id": f"m{number}", "object": "model"} for number in range(100_000)]
    async with ModelServer({"/v1/models": Says({"object": "list", "data": many})}) as server:
        offer = await offered(None, f"{server.origin}/v1")
    assert offer.ok
    assert offer.truncated
    assert len(offer.models) == 5000


async def test_a_connection_that_breaks_is_no_crash() -> None:
    async def slam(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    server = await asyncio.start_server(slam, "127.0.0.1", 0)
    async with server:
        origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        offer = await offered(None, f"{origin}/v1")
    assert said(offer)[0] == f"{origin} closed the connection without a response."


@pytest.mark.parametrize(
    ("base_url", "code"),
    [
        ("", "upstream_address_invalid"),
        ("ftp://localhost:11434", "upstream_address_invalid"),
        ("http://user:pass@127.0.0.1/v1", "upstream_address_invalid"),
        ("http://169.254.169.254/v1", "upstream_address_denied"),
        ("http://2130706433/v1", "upstream_address_invalid"),
    ],
)
async def test_addresses_that_nobody_may_reach_are_refused(base_url: str, code: str) -> None:
    offer = await offered(None, base_url)
    assert offer.problem is not None
    assert offer.problem.code == code


@pytest.mark.parametrize("key", ["a\r\nHost: evil", "clé-€", "\0"])
async def test_a_key_that_no_request_can_carry_is_refused_before_anything_is_sent(key: str) -> None:
    async with ModelServer(recordings.VLLM) as server:
        offer = await offered("vllm", f"{server.origin}/v1", key=key)
        assert server.requests == []
    assert said(offer)[0] == "This key can't be used: it has characters that are not allowed in a key."
    assert key not in repr(offer)


async def test_a_key_is_taken_without_the_spaces_around_it() -> None:
    async with ModelServer(recordings.VLLM) as server:
        await offered("vllm", f"{server.origin}/v1", key=f" {KEY}\n")
        assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


async def test_a_certificate_that_nobody_trusts_is_called_so(certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with ModelServer(recordings.VLLM, tls=context) as server:
        offer = await offered(None, f"{server.origin}/v1")
        title, detail = said(offer)
        assert title.startswith("The certificate of 127.0.0.1 is not trusted: self")
        assert "PARLEY_CA_FILE" in detail


PLAIN = "If the server speaks plain HTTP, write http:// instead of https://."


async def test_a_plain_server_at_a_secure_address_is_recognised() -> None:
    async with ModelServer(recordings.VLLM) as plain:
        offer = await offered(None, f"{plain.origin.replace('http', 'https')}/v1")
        assert said(offer)[1] == PLAIN

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.transport.abort()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        offer = await offered(None, f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        assert said(offer)[1] == PLAIN
