"""Tests of the files in the working directory: nobody's until a person says that they are theirs."""

import os
from pathlib import Path

import pytest

from parley.features.catalog.key_variables import is_own_key
from parley.features.catalog.opening import build_sources
from parley.features.catalog.reader import CatalogError, read_entries
from parley.kernel.errors import ParleyError
from parley.settings import Settings, SettingsError
from parley.settings_loading import load_settings
from parley.trust import Trust, Untrusted

LIST = "providers: [{id: near, connector: openai, base_url: 'http://127.0.0.1:9/v1'}]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    (tmp_path / "here" / "config").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def write(name: str, text: str, *, trusted: bool = True) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if trusted:
        Trust().add(path, path.read_bytes())
    return path


def load(**flags: object) -> tuple[Settings, list[str]]:
    """Load the settings; return them, and the titles of what a person is told."""
    notices: list[ParleyError] = []
    settings = load_settings(flags, {}, notify=notices.append)
    return settings, [f"{notice.title}\n{notice.detail}" for notice in notices]


def test_a_found_file_is_not_used_and_the_notice_says_how_to_use_it(folder: Path) -> None:
    write("parley.yaml", "port: 1", trusted=False)
    write("config/models.yaml", LIST, trusted=False)
    settings, notices = load(data_dir=folder / "data")
    assert (settings.port, settings.config, settings.models) == (8400, None, None)
    assert [notice.splitlines()[0] for notice in notices] == [
        f"{folder}/parley.yaml is not used: you have not trusted it.",
        f"{folder}/config/models.yaml is not used: you have not trusted it.",
    ]
    assert "parley trust" in notices[0]
    assert "--config parley.yaml" in notices[0]
    assert "--models config/models.yaml" in notices[1]


def test_a_trusted_file_is_used_until_its_content_changes(folder: Path) -> None:
    write("parley.yaml", "port: 1")
    write("config/models.yaml", LIST)
    settings, notices = load()
    assert (settings.port, settings.models, notices) == (1, Path("config/models.yaml"), [])
    write("parley.yaml", "port: 2", trusted=False)
    settings, notices = load()
    assert settings.port == 8400
    assert notices[0].startswith(f"{folder}/parley.yaml is not used: it has changed since you trusted it.")


def test_a_link_to_other_content_and_a_copy_elsewhere_are_not_trusted(folder: Path) -> None:
    write("parley.yaml", "port: 1")
    write("other.yaml", "port: 2", trusted=False)
    Path("parley.yaml").unlink()
    Path("parley.yaml").symlink_to("other.yaml")
    assert load()[0].port == 8400
    os.chdir(folder / "config")
    write("parley.yaml", "port: 1", trusted=False)
    assert load()[0].port == 8400


def test_a_named_file_needs_no_trust() -> None:
    write("parley.yaml", "port: 1\nproxy: http://127.0.0.1:3128", trusted=False)
    write("config/models.yaml", LIST, trusted=False)
    settings, notices = load(config="parley.yaml", models="config/models.yaml")
    assert (settings.port, settings.proxy, settings.found, notices) == (
        1,
        "http://127.0.0.1:3128",
        frozenset(),
        [],
    )


@pytest.mark.parametrize(
    "line",
    [
        "proxy: http://127.0.0.1:3128",
        "no_proxy: [a.example]",
        "ca_file: own.pem",
        "secret_key: x",
        "cache_url: redis://192.0.2.1",
        "tool_servers: [{name: notes, command: [sh, -c, id]}]",
        "port: ${PORT:-1}",
    ],
)
def test_a_trusted_file_decides_no_way_that_keys_take(line: str) -> None:
    write("parley.yaml", f"log_level: debug\n{line}\n")
    with pytest.raises(SettingsError, match=r"parley\.yaml:2: .*--config parley\.yaml"):
        load()


@pytest.mark.parametrize("line", ["models: lists/own.yaml", "data_dir: lists"])
def test_a_list_that_a_found_file_chooses_must_be_trusted_itself(line: str) -> None:
    write("parley.yaml", line)
    write("lists/own.yaml", LIST, trusted=False)
    write("lists/models.yaml", LIST, trusted=False)
    settings, notices = load()
    assert settings.models is None
    assert len(notices) == 1
    write("lists/own.yaml", LIST)
    write("lists/models.yaml", LIST)
    settings, notices = load()
    assert settings.models is not None
    assert "models" in settings.found
    assert not notices


def test_a_list_that_changes_while_parley_runs_must_be_trusted_again(folder: Path) -> None:
    write("config/models.yaml", LIST)
    sources = build_sources(load(data_dir=folder / "data")[0])
    write("config/models.yaml", LIST.replace("9/v1", "9/v2"), trusted=False)
    with pytest.raises(Untrusted, match="it has changed since you trusted it"):
        sources.file.read()
    assert [provider.base_url for provider in sources.file.entries.providers] == ["http://127.0.0.1:9/v1"]


def test_a_list_of_trusted_files_that_others_can_write_trusts_nothing(tmp_path: Path) -> None:
    write("parley.yaml", "port: 1")
    (tmp_path / "configuration" / "parley" / "trusted.json").chmod(0o666)
    assert load()[0].port == 8400


@pytest.mark.parametrize(
    ("variable", "entry", "own"),
    [
        ("OPENAI_API_KEY", {"id": "x", "base_url": "https://api.openai.com/v1"}, True),
        ("OPENAI_API_KEY", {"id": "openai", "base_url": "https://api.openai.com.example/v1"}, False),
        ("OPENAI_API_KEY", {"id": "openai", "base_url": "http://api.openai.com/v1"}, False),
        ("GEMINI_API_KEY", {"id": "x", "connector": "anyllm-gemini"}, True),
        ("GEMINI_API_KEY", {"id": "x", "connector": "openai"}, False),
        ("VLLM_KEY", {"id": "vllm", "base_url": "http://gpu.lan:8000/v1"}, True),
        ("MY_GPU_API_KEY", {"id": "my-gpu", "base_url": "http://gpu.lan:8000/v1"}, True),
        ("GITHUB_TOKEN", {"id": "github", "base_url": "http://gpu.lan:8000/v1"}, False),
        ("HOME", {"id": "home", "base_url": "http://gpu.lan:8000/v1"}, False),
        ("PARLEY_SECRET_KEY", {"id": "parley-secret", "base_url": "http://gpu.lan:8000/v1"}, False),
    ],
)
def test_a_variable_is_the_key_of_its_provider_alone(
    variable: str, entry: dict[str, object], own: bool
) -> None:
    assert is_own_key(variable, entry) is own


@pytest.mark.parametrize(
    "field",
    [
        "api_key: '${AWS_SECRET}'",
        "api_key: 'x${AWS_SECRET}'",
        "base_url: 'http://127.0.0.1:9/${NEAR_KEY}'",
        "region: '${AWS_SECRET:-}'",
    ],
)
def test_a_found_list_sends_no_other_variable(field: str) -> None:
    text = f"providers:\n  - {{id: near, connector: openai, {field}}}\n"
    variables = {"AWS_SECRET": "s3cret", "NEAR_KEY": "k3y"}

    def read(*, restricted: bool) -> None:
        read_entries(text, source="list", connectors=["openai"], variables=variables, restricted=restricted)

    with pytest.raises(CatalogError, match="can't use the environment variable") as caught:
        read(restricted=True)
    assert "s3cret" not in str(caught.value)
    read(restricted=False)
