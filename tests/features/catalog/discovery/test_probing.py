"""Tests of looking for model servers: each kind as it answers, others that are no model servers, and hostile ones."""

import asyncio
import time
from collections.abc import Mapping

import msgspec
import pytest

from parley.features.catalog.discovery.findings import DiscoveredServer
from parley.features.catalog.discovery.probing import USUAL_ADDRESSES, LocalAddress, discover_servers
from parley.features.catalog.discovery.servers import RECOGNISERS
from tests.fakes.model_server import ModelServer, Says
from tests.fakes.ports import free_port
from tests.features.catalog.discovery import recordings

PATIENCE_S = 20.0
"""Discovery ends when every server has answered, so that only what is broken takes so long."""

KINDS = {address.origin.rpartition(":")[2]: address.kinds for address in USUAL_ADDRESSES}


async def found_at(
    server: ModelServer, port: str, *, typed: bool = False, within_s: float = PATIENCE_S
) -> DiscoveredServer | None:
    """Look at a server as if it listened on a usual port, or as if a person had typed its address."""
    addresses = () if typed else (LocalAddress(server.origin, KINDS[port]),)
    texts = (server.origin,) if typed else ()
    found = await discover_servers(addresses, texts, within_s=within_s)
    return found[0] if found else None


async def found(table: Mapping[str, Says], port: str, *, otherwise: Says | None = None) -> DiscoveredServer:
    """Return the server that answers from this table, found by its usual port and by its typed address alike."""
    async with ModelServer(table, otherwise=otherwise) as server:
        usual = await found_at(server, port)
        typed = await found_at(server, port, typed=True)
        assert usual is not None
        assert typed == usual
        assert usual.base_url == f"{server.origin}/v1"
        return usual


async def test_ollama_is_found_with_its_models_and_what_they_can_do() -> None:
    server = await found(recordings.OLLAMA, "11434")
    assert (server.kind, server.name, server.version, server.needs_key) == (
        "ollama",
        "Ollama",
        "0.12.6",
        False,
    )
    llama, gemma, _, cloud = server.models
    assert llama.model == llama.name == "llama3.2:3b"
    assert llama.capabilities == ("text", "json", "tools")
    assert (llama.context_window, llama.size_bytes) == (131072, 2019393189)
    assert (gemma.model, gemma.name) == ("gemma3:latest", "gemma3")
    assert cloud.remote
    assert cloud.size_bytes is None


async def test_ollamas_model_file_decides_the_context_window_and_embeddings_do_not_chat() -> None:
    shown = {
        **recordings.OLLAMA_SHOW,
        "parameters": 'stop   "x"\nnum_ctx                        8192\ntemperature 1',
        "capabilities": ["embedding"],
    }
    server = await found({**recordings.OLLAMA, "POST /api/show": Says(shown)}, "11434")
    assert {model.context_window for model in server.models} == {8192}
    assert {model.purpose for model in server.models} == {"embeddings"}


async def test_an_old_ollama_that_does_not_say_what_its_models_can_do_is_still_offered() -> None:
    server = await found({**recordings.OLLAMA, "POST /api/show": Says({"modelfile": "FROM x"})}, "11434")
    assert [model.purpose for model in server.models] == ["chat", "chat", "embeddings", "chat"]
    assert server.models[0].capabilities == ("text", "json")


async def test_ollama_without_models_is_found_without_models() -> None:
    server = await found({**recordings.OLLAMA, "/api/tags": Says({"models": []})}, "11434")
    assert server.models == ()


async def test_details_that_come_too_late_do_not_take_the_list_away() -> None:
    slow = {**recordings.OLLAMA, "POST /api/show": Says(hangs=True)}
    async with ModelServer(slow) as server:
        offered = await found_at(server, "11434", within_s=4.0)
    assert offered is not None
    assert offered.models[0].model == "llama3.2:3b"
    assert offered.models[0].context_window is None


async def test_lm_studio_is_found_by_its_own_list() -> None:
    server = await found(recordings.LM_STUDIO, "1234", otherwise=recordings.LM_STUDIO_ERROR)
    chat, embedding = server.models
    assert (server.kind, server.name) == ("lmstudio", "LM Studio")
    assert (chat.model, chat.name, chat.organization) == ("qwen/qwen3-vl-8b", "Qwen3 VL 8B", "qwen")
    assert chat.capabilities == ("text", "vision", "json", "tools")
    assert chat.context_window == 8192
    assert chat.size_bytes == 6190000000
    assert (embedding.purpose, embedding.capabilities) == ("embeddings", ("embeddings",))


async def test_lm_studio_is_found_in_the_versions_before() -> None:
    server = await found(recordings.LM_STUDIO_0_3, "1234", otherwise=recordings.LM_STUDIO_ERROR)
    assert server.kind == "lmstudio"
    assert server.models[0].capabilities == ("text", "vision", "json")
    assert server.models[0].context_window == 32768
    assert server.models[1].purpose == "embeddings"
    oldest = await found(recordings.LM_STUDIO_0_2, "1234", otherwise=recordings.LM_STUDIO_ERROR)
    assert [model.model for model in oldest.models] == ["phi-3-mini"]


async def test_vllm_is_found_with_the_context_window_that_it_serves() -> None:
    server = await found(recordings.VLLM, "8000")
    assert (server.kind, server.version) == ("vllm", "0.11.0")
    assert (server.models[0].model, server.models[0].context_window) == ("Qwen/Qwen3-8B", 40960)


async def test_llama_cpp_is_found_with_what_it_serves_not_what_was_trained() -> None:
    server = await found(recordings.LLAMA_CPP, "8080")
    assert (server.kind, server.version) == ("llamacpp", "b6730-e60f01d94")
    (model,) = server.models
    assert (model.model, model.name) == ("/models/gemma-3-4b-it-Q4_K_M.gguf", "gemma-3-4b-it-Q4_K_M")
    assert model.capabilities == ("text", "vision", "json", "tools")
    assert (model.context_window, model.size_bytes) == (16384, 2483241984)


@pytest.mark.parametrize("table", [recordings.LOCAL_AI, recordings.LOCAL_AI_2])
async def test_localai_is_not_taken_for_llama_cpp_on_the_same_port(table: Mapping[str, Says]) -> None:
    server = await found(table, "8080")
    assert (server.kind, server.name) == ("localai", "LocalAI")
    assert [model.purpose for model in server.models] == ["chat", "audio", "images"]


async def test_jan_is_found_also_while_it_has_no_model_loaded() -> None:
    server = await found(recordings.JAN, "1337")
    assert (server.kind, [model.model for model in server.models]) == ("jan", ["jan-v3-4b"])
    server = await found(recordings.JAN_WITHOUT_MODELS, "1337")
    assert (server.kind, server.models) == ("jan", ())


@pytest.mark.parametrize(
    ("table", "port", "kind"),
    [
        (recordings.JAN_WITH_A_KEY, "1337", "jan"),
        (recordings.VLLM_WITH_A_KEY, "8000", "vllm"),
        (
            {"/api/v1/models": Says({"error": {"message": "An LM Studio API token is required"}}, 401)},
            "1234",
            "lmstudio",
        ),
        ({"/props": Says({"error": {"message": "Invalid API Key", "code": 401}}, 401)}, "8080", "llamacpp"),
        (
            {**recordings.LOCAL_AI, "/v1/models": Says({"error": {"message": "unauthorized"}}, 401)},
            "8080",
            "localai",
        ),
    ],
)
async def test_a_server_that_asks_for_its_key_is_offered_without_models(
    table: Mapping[str, Says], port: str, kind: str
) -> None:
    server = await found(table, port)
    assert (server.kind, server.needs_key, server.models) == (kind, True, ())


async def test_any_server_that_lists_models_in_the_openai_dialect_is_offered_as_such() -> None:
    server = await found(recordings.MLX, "8080")
    assert server.kind == "custom"
    assert server.name == f"Server at {server.base_url.removeprefix('http://').removesuffix('/v1')}"
    assert [model.model for model in server.models] == ["mlx-community/Qwen3-4B-4bit"]


async def test_servers_are_looked_at_side_by_side_and_kept_in_order() -> None:
    slow = {**recordings.OLLAMA, "/api/version": Says({"version": "0.12.6"}, delay=0.4)}
    async with ModelServer(slow) as ollama, ModelServer(recordings.VLLM) as vllm:
        addresses = [
            LocalAddress(ollama.origin, ("ollama",)),
            LocalAddress(f"http://127.0.0.1:{free_port()}", ("jan",)),
            LocalAddress(vllm.origin, ("vllm",)),
        ]
        servers = await discover_servers(addresses, (vllm.origin,), within_s=PATIENCE_S)
    assert [server.kind for server in servers] == ["ollama", "vllm"]


async def test_where_nothing_listens_nothing_is_found() -> None:
    addresses = [LocalAddress(f"http://127.0.0.1:{free_port()}", kinds) for kinds in KINDS.values()]
    assert await discover_servers(addresses, within_s=PATIENCE_S) == ()
    assert await discover_servers((), within_s=PATIENCE_S) == ()


async def test_addresses_are_taken_as_people_type_them() -> None:
    async with ModelServer(recordings.OLLAMA) as server:
        for text in (
            f"127.0.0.1:{server.port}",
            f" {server.origin}/ ",
            f"{server.origin}/v1",
            f"localhost:{server.port}",
        ):
            (found,) = await discover_servers((), (text,), within_s=PATIENCE_S)
            assert found.kind == "ollama"


@pytest.mark.parametrize(
    "text", ["", "http://", "ftp://127.0.0.1", "http://169.254.169.254", "http://a b", "\0", "::"]
)
async def test_what_is_no_address_or_a_forbidden_one_is_left_out(text: str) -> None:
    assert await discover_servers((), (text,), within_s=PATIENCE_S) == ()


# ── what is something else ───────────────────────────────────────────────────────────────────────

PAGE = Says("<!doctype html><title>My app</title>", media_type="text/html")
STRANGERS = {
    "page": PAGE,
    "page that says JSON": Says("<!doctype html>", media_type="application/json"),
    "status": Says({"status": "ok"}),
    "version": Says({"version": "1.0"}),
    "data": Says({"data": [{"id": 1, "name": "Alice"}]}),
    "list": Says([{"id": "a"}, {"id": "b"}]),
    "empty list": Says({"object": "list", "data": []}),
    "list of users": Says({"object": "list", "data": [{"id": "cus_1", "object": "customer"}]}),
    "models of something else": Says({"models": [{"name": "Model T", "year": 1908}]}),
    "empty object": Says({}),
    "null": Says(None),
    "number": Says(7),
    "text": Says('"hello"'),
    "nothing": Says(b""),
    "not JSON": Says(b"\xff\xfe{", media_type="application/json"),
    "not found": Says({"detail": "Not Found"}, 404),
    "asks who is there": Says({"detail": "Not authenticated"}, 401),
    "fails": Says("oops", 500),
    "redirects": Says("", 302, headers={"Location": "http://127.0.0.1:1/v1/models"}),
    "deeply nested": Says(b"[" * 100_000 + b"]" * 100_000),
}


@pytest.mark.parametrize("name", STRANGERS)
async def test_a_server_that_is_something_else_is_not_offered(name: str) -> None:
    async with ModelServer(otherwise=STRANGERS[name]) as server:
        for port in KINDS:
            assert await found_at(server, port) is None
        assert await found_at(server, "", typed=True) is None


# ── hostile ones ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("says", [Says(hangs=True), Says(drips=True), Says(endless=True)])
async def test_discovery_ends_in_time_whatever_servers_do(says: Says) -> None:
    async with ModelServer(otherwise=says) as bad, ModelServer(recordings.VLLM) as good:
        everywhere = [LocalAddress(bad.origin, tuple(RECOGNISERS)), LocalAddress(bad.origin, ("ollama",))]
        started = time.monotonic()
        servers = await discover_servers([*everywhere, LocalAddress(good.origin, ("vllm",))], within_s=1.0)
        # A second more for a busy machine.
        assert time.monotonic() - started < 2.0
    assert [server.kind for server in servers] == ["vllm"]
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [task for task in others if "_look" in repr(task)]


async def test_no_redirect_is_followed() -> None:
    async with ModelServer(recordings.OLLAMA) as other:
        moved = Says("", 307, headers={"Location": f"{other.origin}/api/version"})
        async with ModelServer(otherwise=moved) as server:
            assert await found_at(server, "11434") is None
            assert await found_at(server, "", typed=True) is None
        assert other.requests == []


ODD = [None, True, 7, -1, 1.5, "", "text", [], {}, [[]], [None], {"a": {}}, "x" * 5000, "a\nb", 10**30]


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_values_of_any_type_are_tolerated(odd: object) -> None:
    entry = dict.fromkeys(
        (
            "id",
            "name",
            "model",
            "key",
            "type",
            "object",
            "size",
            "details",
            "capabilities",
            "max_model_len",
            "meta",
        ),
        odd,
    )
    good = {
        "name": "good",
        "model": "good",
        "key": "good",
        "size": odd,
        "capabilities": odd,
        "max_context_length": odd,
    }
    strict = {"id": "good", "object": "model", "owned_by": "vllm", "max_model_len": odd, "pricing": odd}
    tables = {
        "11434": {
            "/api/version": Says({"version": "1"}),
            "/api/tags": Says({"models": [odd, entry, good]}),
            "POST /api/show": Says(
                {"capabilities": odd, "model_info": {"a.context_length": odd}, "parameters": odd}
            ),
        },
        "1234": {"/api/v1/models": Says({"models": [{"key": odd}, good, {**good, "loaded_instances": odd}]})},
        "8000": {
            "/v1/models": Says({"object": "list", "data": [strict]}),
            "/version": Says({"version": odd}),
        },
        "8080": {
            "/props": Says(
                {"default_generation_settings": {"n_ctx": odd}, "total_slots": odd, "modalities": odd}
            ),
            "/v1/models": Says({"object": "list", "data": [{**strict, "owned_by": "llamacpp", "meta": odd}]}),
        },
    }
    for port, table in tables.items():
        async with ModelServer(table) as server:
            offered = await found_at(server, port)
        assert offered is not None
        assert "good" in [model.model for model in offered.models]
        for model in offered.models:
            assert model.context_window is None or 0 < model.context_window < 10**15
            assert model.name.isprintable()
            assert len(model.name) <= 200
        msgspec.json.encode(offered)


async def test_a_hundred_thousand_models_are_refused_or_cut() -> None:
    many = [{"name": f"m{number}", "model": f"m{number}"} for number in range(100_000)]
    few = many[:20_000]
    for models, expected in ((many, None), (few, 5000)):
        async with ModelServer({**recordings.OLLAMA, "/api/tags": Says({"models": models})}) as server:
            offered = await found_at(server, "11434", within_s=2.0)
        assert (None if offered is None else len(offered.models)) == expected
