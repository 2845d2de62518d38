"""Tests of the model list: what it says, and how a mistake is told."""

from pathlib import Path

import pytest

from parley.connectors import parley_connectors
from parley.features.catalog.reader import CatalogError, Entries, is_local, read_entries
from parley.kernel.models import Model, Prices, Provider, Route

EXAMPLE = Path(__file__).parents[3] / "config" / "models.example.yaml"
ONE = "{id: one, connector: openai, base_url: http://127.0.0.1:1/v1, model: m}"


def read(text: str, **variables: str) -> Entries:
    return read_entries(text, source="models.yaml", connectors=("openai", "demo"), variables=variables)


def refusal(text: str, **variables: str) -> list[str]:
    with pytest.raises(CatalogError) as caught:
        read(text, **variables)
    return [caught.value.title, *(caught.value.detail or "").splitlines()]


def of_model(fields: str) -> list[str]:
    """Return the mistakes of one model with these fields beside a right id and route."""
    text = (
        f"providers: [{{id: p, connector: openai}}]\nmodels:\n"
        f"  - {{id: m, routes: [{{provider: p, model: x}}], {fields}}}"
    )
    return refusal(text)


def test_a_model_with_everything_is_read() -> None:
    entries = read(
        """
providers:
  - {id: vllm, connector: openai, base_url: http://127.0.0.1:8000/v1/, api_key: ${VLLM_KEY},
     weight: 2, region: eu, priority: 1, max_concurrency: 3}
models:
  - id: qwen3-8b
    name: Qwen 3 8B
    organization: Alibaba
    family: qwen
    license: Apache-2.0
    description: Small.
    routes: [{provider: vllm, model: Qwen/Qwen3-8B}]
    prices: {input: 0.10, output: 0.30}
    capabilities: [text, tools]
    context_window: 32768
    tags: [battle]
    timeout_s: 60
    max_concurrency: 4
    weight: 0.5
    enabled: false
""",
        VLLM_KEY="s3cret",
    )
    assert entries.providers == (
        Provider(
            id="vllm",
            connector="openai",
            base_url="http://127.0.0.1:8000/v1",
            api_key="s3cret",
            weight=2,
            region="eu",
            priority=1,
            local=True,
            max_concurrency=3,
        ),
    )
    assert entries.models == (
        Model(
            id="qwen3-8b",
            name="Qwen 3 8B",
            organization="Alibaba",
            family="qwen",
            license="Apache-2.0",
            description="Small.",
            routes=(Route("vllm", "Qwen/Qwen3-8B"),),
            prices=Prices(0.10, 0.30),
            capabilities=("text", "tools"),
            context_window=32768,
            tags=("battle",),
            timeout_s=60,
            max_concurrency=4,
            weight=0.5,
            enabled=False,
            local=True,
        ),
    )


def test_a_short_entry_gets_a_provider_named_after_its_server() -> None:
    entries = read(f"models: [{ONE}]")
    assert [provider.id for provider in entries.providers] == ["127.0.0.1:1"]
    assert entries.models[0].routes == (Route("127.0.0.1:1", "m"),)
    assert (entries.models[0].name, entries.models[0].family) == ("one", "")


def test_short_entries_share_a_provider_where_server_and_key_are_the_same() -> None:
    entries = read(
        """
models:
  - {id: a, connector: openai, base_url: http://h:1/v1, model: a}
  - {id: b, connector: openai, base_url: http://h:1/v1/, model: b}
  - {id: c, connector: openai, base_url: http://h:1/v1, api_key: k, model: c}
  - {id: d, connector: demo, model: d}
"""
    )
    assert [model.routes[0].provider for model in entries.models] == ["h:1", "h:1", "h:1#2", "demo"]
    assert [provider.id for provider in entries.providers] == ["h:1", "h:1#2", "demo"]


def test_a_family_is_only_stated_if_the_entry_or_the_name_tells_it() -> None:
    text = """
models:
  - {id: a, organization: Meta, connector: demo, model: x}
  - {id: b, connector: demo, model: y}
  - {id: c, connector: demo, model: "llama3.2:3b"}
  - {id: gpt-4o, connector: demo, model: deployment-7}
"""
    models = read(text).models
    assert [model.family for model in models] == ["", "", "Llama", "GPT"]
    assert [model.organization for model in models] == ["Meta", "", "Meta", "OpenAI"]
    assert [model.name for model in models] == ["a", "b", "Llama 3.2 3B", "GPT-4o"]
    assert dict(models[2].known_from) == dict.fromkeys(("name", "organization", "family", "license"), "name")
    assert models[0].known_from == ()


def test_an_entry_overrules_what_the_name_tells_even_with_nothing() -> None:
    text = """models: [{id: a, name: Mine, organization: Us, family: "", connector: demo, model: "llama3.2:3b"}]"""
    (model,) = read(text).models
    assert (model.name, model.organization, model.family) == ("Mine", "Us", "")
    assert dict(model.known_from) == {"license": "name"}


def test_the_abilities_of_a_name_are_those_of_hosted_models_only() -> None:
    here, there, stated = read(
        """
models:
  - {id: a, connector: openai, base_url: http://127.0.0.1:1/v1, model: gemini-2.5-pro}
  - {id: b, connector: openai, base_url: https://models.example.com/v1, model: gemini-2.5-pro}
  - {id: c, connector: openai, base_url: https://models.example.com/v1, model: gemini-2.5-pro, capabilities: [text]}
"""
    ).models
    assert here.capabilities == stated.capabilities == ("text",)
    assert "vision" in there.capabilities


def test_an_empty_key_is_no_key() -> None:
    entries = read("providers: [{id: p, connector: openai, api_key: ${KEY:-}}]")
    assert entries.providers[0].api_key is None


def test_an_empty_list_has_no_models() -> None:
    assert read("") == Entries()
    assert read("providers:\nmodels: []") == Entries()


def test_a_model_is_local_where_all_its_providers_are() -> None:
    entries = read(
        """
providers:
  - {id: near, connector: openai, base_url: http://192.168.1.2/v1}
  - {id: far, connector: openai, base_url: https://api.example.com/v1}
models:
  - {id: a, routes: [{provider: near, model: x}]}
  - {id: b, routes: [{provider: near, model: x}, {provider: far, model: x}]}
"""
    )
    assert [model.local for model in entries.models] == [True, False]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://localhost/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://box.local/v1", True),
        ("https://api.example.com/v1", False),
        ("https://8.8.8.8/v1", False),
        (None, False),
    ],
)
def test_a_provider_is_local_where_its_host_is(url: str | None, local: bool) -> None:
    assert is_local(url) is local


def test_every_mistake_is_named_at_once_with_line_and_field() -> None:
    text = """\
provider: []
providers:
  - {id: vllm, connector: opnai, base_url: ftp://x}
  - {id: vllm, connector: openai, colour: red}
models:
  - id: a
    routes: [{provider: vlm, model: x}, {provder: vllm, model: x}]
    prices: {input: -1}
  - {id: a, connector: openai}
"""
    assert refusal(text) == [
        "models.yaml:1: provider: is not a known field (did you mean “providers”?)",
        "models.yaml:3: providers[0].base_url: must be a web address, as in http://127.0.0.1:8000/v1",
        (
            "models.yaml:3: providers[0].connector: there is no connector “opnai” (did you mean “openai”?); "
            "the connectors are demo, openai"
        ),
        "models.yaml:4: providers[1].colour: is not a known field",
        "models.yaml:4: providers[1].id: “vllm” is already used in line 3",
        "models.yaml:7: models[0].routes[0].provider: there is no provider “vlm” (did you mean “vllm”?)",
        "models.yaml:7: models[0].routes[1].provder: is not a known field (did you mean “provider”?)",
        "models.yaml:7: models[0].routes[1].provider: is required",
        "models.yaml:8: models[0].prices.input: must be at least 0.0",
        "models.yaml:8: models[0].prices.output: is required",
        (
            "models.yaml:9: models[1]: needs routes, or connector and model "
            "(with base_url where the connector has none)"
        ),
        "models.yaml:9: models[1].id: “a” is already used in line 6",
    ]


@pytest.mark.parametrize(
    ("fields", "mistake"),
    [
        ("model: y", "models[0]: has both routes and model: use one form"),
        ("base_url: http://x", "models[0]: has both routes and base_url: use one form"),
        ("capabilities: [talk]", "models[0].capabilities[0]: must be one of"),
        ("tags: battle", "models[0].tags: must be a list"),
        ("timeout_s: 0", "models[0].timeout_s: must be greater than 0.0"),
        ("weight: .nan", "models[0].weight: must be"),
        ("enabled: perhaps", "models[0].enabled: must be true or false"),
        ("name: 3", "models[0].name: must be text, in quotes"),
        ("context_window: 1.5", "models[0].context_window: must be a whole number"),
        ("max_concurrency: 0", "models[0].max_concurrency: must be at least 1"),
        ("prices: 3", "models[0].prices: must be an object with named fields, not a list or a single value"),
    ],
)
def test_a_wrong_field_of_a_model_is_named(fields: str, mistake: str) -> None:
    assert of_model(fields)[0].startswith(f"models.yaml:3: {mistake}")


@pytest.mark.parametrize("model_id", ["Qwen", "-a", "a b", "a/b", "ä", "a" * 65, '""'])
def test_an_id_is_plain_lower_case(model_id: str) -> None:
    assert (
        "id: must be lower-case letters"
        in refusal(f"models: [{{id: {model_id}, connector: demo, model: x}}]")[0]
    )


@pytest.mark.parametrize(
    "url",
    [
        "example",
        "http://",
        "file:///x",
        "http://u:s3cret@h/v1",
        "http://h/v1?key=s3cret",
        "http://h:x/",
    ],
)
def test_a_bad_address_is_refused_without_being_repeated(url: str) -> None:
    lines = refusal(f'providers: [{{id: p, connector: openai, base_url: "{url}"}}]')
    assert lines[0].startswith("models.yaml:1: providers[0].base_url: ")
    assert "s3cret" not in "\n".join(lines)


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8000", "HTTP://127.0.0.1:8000/v1/models/", "http://127.0.0.1:8000/v1/chat"]
)
def test_an_address_is_mended_in_the_long_and_the_short_form(url: str) -> None:
    entries = read(
        f'providers: [{{id: p, connector: openai, base_url: "{url}"}}]\n'
        f'models: [{{id: a, connector: openai, base_url: "{url}", model: a}}]'
    )
    assert {provider.base_url for provider in entries.providers} == {"http://127.0.0.1:8000/v1"}


def test_a_missing_variable_is_named_with_its_line() -> None:
    assert refusal("providers:\n  - {id: p, connector: openai, api_key: ${KEY}}")[0].startswith(
        "models.yaml:2: the environment variable KEY is not set"
    )


def test_a_key_is_in_no_mistake() -> None:
    text = "providers: [{id: p, connector: openai, api_key: ${KEY}, api_kee: ${KEY}, weight: ${KEY}}]"
    assert "s3cret" not in "\n".join(refusal(text, KEY="s3cret"))


@pytest.mark.parametrize(
    "text", ["[]", "models: {}", "models: [3]", "providers: [null]", "text", "models: ["]
)
def test_another_shape_is_a_mistake(text: str) -> None:
    assert refusal(text)[0].startswith("models.yaml:1: ")


def test_the_example_loads_without_any_variable() -> None:
    entries = read(EXAMPLE.read_text(encoding="utf-8"))
    assert [model.id for model in entries.models] == ["qwen3-8b", "gemma-3-4b", "llama-3.3-70b", "local-tiny"]


def test_the_lists_in_the_guides_load() -> None:
    guide = EXAMPLE.parents[1] / "docs" / "guides" / "connect-models.md"
    blocks = [block.split("```")[0] for block in guide.read_text(encoding="utf-8").split("```yaml\n")[1:]]
    names = ("VLLM_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "LITELLM_KEY")
    variables: dict[str, str] = dict.fromkeys((*names, "ANTHROPIC_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"), "k")
    providers = "providers: [{id: vllm, connector: openai}, {id: openrouter, connector: openai}]\n"
    assert len(blocks) >= 8
    for block in blocks:
        text = block if "provider:" not in block or "providers:" in block else providers + block
        entries = read_entries(
            text, source="models.yaml", connectors=parley_connectors().keys(), variables=variables
        )
        assert entries.models


@pytest.mark.parametrize(
    "mistake",
    [
        "context_window: many",
        "context_window: 10000000000000000000000000000000",
        "prices: {input: cheap, output: 1}",
        "timeout_s: -1",
        "capabilities: [fly]",
        "tags: [A B]",
        "weight: .nan",
        "enabled: perhaps",
        "unknown: 1",
        'name: "a\\e[31mb"',
    ],
)
def test_one_bad_value_leaves_out_one_model_and_not_the_list(mistake: str) -> None:
    text = f"""
providers: [{{id: p, connector: openai, base_url: 'http://127.0.0.1:9/v1'}}]
models:
  - {{id: good, routes: [{{provider: p, model: m}}]}}
  - {{id: bad, routes: [{{provider: p, model: m}}], {mistake}}}
"""
    with pytest.raises(CatalogError) as caught:
        read_entries(text, source="list", connectors=["openai"], variables={})
    assert caught.value.usable is not None
    assert [model.id for model in caught.value.usable.models] == ["good"]


def test_models_of_a_bad_provider_are_left_out_with_it() -> None:
    text = """
providers:
  - {id: p, connector: openai, base_url: nowhere}
  - {id: q, connector: openai, base_url: 'http://127.0.0.1:9/v1'}
models:
  - {id: one, routes: [{provider: p, model: m}]}
  - {id: two, routes: [{provider: p, model: m}, {provider: q, model: m}]}
"""
    with pytest.raises(CatalogError) as caught:
        read_entries(text, source="list", connectors=["openai"], variables={})
    assert caught.value.usable is not None
    assert [(model.id, len(model.routes)) for model in caught.value.usable.models] == [("two", 1)]
    with pytest.raises(CatalogError) as caught:
        read_entries("models: {}", source="list", connectors=["openai"], variables={})
    assert caught.value.usable is None
