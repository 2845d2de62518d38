"""Tests of the settings: where they come from, and what a wrong one says."""

from pathlib import Path

import pytest

from parley.settings import Settings, SettingsError
from parley.settings_loading import load_settings, variable_names
from parley.trust import Trust


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    Trust().add(path, path.read_bytes())
    return path


def refusal(overrides: dict[str, object], variables: dict[str, str] | None = None) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(overrides, variables or {})
    return "\n".join(filter(None, (caught.value.title, caught.value.detail)))


def test_nothing_set_gives_the_defaults() -> None:
    settings = load_settings({}, {})
    assert (settings.host, settings.port, settings.mode) == ("127.0.0.1", 8400, "personal")
    assert settings.models is None
    assert settings.models_file == settings.data_dir / "models.yaml"


def test_a_flag_wins_over_the_environment_over_the_file_over_the_default() -> None:
    write("parley.yaml", "port: 1\nlog_level: debug\nbattle_pacing: natural\n")
    settings = load_settings({"port": 3, "host": None}, {"PARLEY_PORT": "2", "PARLEY_LOG_LEVEL": "error"})
    assert (settings.port, settings.log_level, settings.battle_pacing) == (3, "error", "natural")
    assert settings.host == "127.0.0.1"
    assert settings.config == Path("parley.yaml")


def test_an_empty_variable_is_no_setting() -> None:
    assert load_settings({}, {"PARLEY_PORT": ""}).port == 8400


def test_the_file_can_be_named_by_a_flag_or_a_variable() -> None:
    write("a.yaml", "port: 1")
    write("b.yaml", "port: 2")
    assert load_settings({}, {"PARLEY_CONFIG": "a.yaml"}).port == 1
    assert load_settings({"config": Path("b.yaml")}, {"PARLEY_CONFIG": "a.yaml"}).port == 2


def test_paths_in_the_file_are_relative_to_the_file(tmp_path: Path) -> None:
    write("conf/models.yaml", "")
    write("conf/parley.yaml", "data_dir: data\nmodels: models.yaml\nca_file: ours.pem")
    settings = load_settings({"config": "conf/parley.yaml"}, {})
    assert settings.data_dir == tmp_path / "conf" / "data"
    assert settings.models == Path("conf/models.yaml")
    assert settings.ca_file == Path("conf/ours.pem")


def test_the_file_may_use_variables() -> None:
    write("own.yaml", "port: ${MY_PORT}\ncors_origins: ['${ORIGIN:-https://a.example}']")
    settings = load_settings({"config": "own.yaml"}, {"MY_PORT": "99"})
    assert (settings.port, settings.cors_origins) == (99, ("https://a.example",))


def test_the_model_list_is_found_beside_the_start_and_then_in_the_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write("data/models.yaml", "")
    assert load_settings({"data_dir": data}, {}).models == data / "models.yaml"
    write("config/models.yaml", "")
    assert load_settings({"data_dir": data}, {}).models == Path("config/models.yaml")


def test_a_model_list_that_is_named_must_be_there() -> None:
    assert "There is no model list nowhere.yaml." in refusal({}, {"PARLEY_MODELS": "nowhere.yaml"})


def test_the_database_is_in_the_data_folder(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.database_url == f"sqlite:///{tmp_path.as_posix()}/parley.db"


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("postgresql://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgres://h/d", "postgresql+asyncpg://h/d"),
        ("sqlite:////x/y.db", "sqlite:////x/y.db"),
    ],
)
def test_a_plain_database_url_gets_its_driver(written: str, used: str) -> None:
    assert Settings(database_url=written).database_url == used


def test_a_database_password_is_in_no_text() -> None:
    assert "s3cret" not in repr(Settings(database_url="postgresql://u:s3cret@h/d"))
    assert "s3cret" not in refusal({}, {"PARLEY_DATABASE_URL": "mysql://u:s3cret@h/d"})


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_personal_mode_listens_on_loopback(host: str) -> None:
    assert load_settings({"host": host}, {}).host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
def test_personal_mode_refuses_every_other_address_and_says_what_to_do(host: str) -> None:
    text = refusal({"host": host})
    assert text.startswith("--host: ")
    assert "everyone who reaches Parley is its owner" in text
    assert "Use 127.0.0.1" in text


def test_every_wrong_line_of_the_file_is_named() -> None:
    write("parley.yaml", "prot: 1\nlog_level: loud\n\nport: 70000\n")
    assert refusal({}).splitlines() == [
        "parley.yaml:1: prot: is not a known field (did you mean “port”?)",
        "parley.yaml:2: log_level: must be one of 'debug', 'info', 'warning' or 'error'",
        "parley.yaml:4: port: must be at most 65535",
    ]


def test_a_wrong_variable_is_named() -> None:
    assert refusal({}, {"PARLEY_PORT": "x"}) == "PARLEY_PORT: must be a whole number"


def test_a_wrong_flag_is_named() -> None:
    assert refusal({"data_dir": 3}).startswith("--data-dir: ")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("port: [", "parley.yaml:1: this is not valid YAML"),
        ("- port", "parley.yaml:1: the settings file must be a mapping"),
        ("port: 1\nport: 2", "parley.yaml:2: “port” appears twice"),
        ("port: 1\nhost: ${NOWHERE}", "parley.yaml:2: the environment variable NOWHERE is not set"),
        ("port: 1\nconfig: x", "parley.yaml:2: config: is not allowed"),
    ],
)
def test_a_broken_file_is_named_with_its_line(text: str, start: str) -> None:
    write("parley.yaml", text)
    assert refusal({}).startswith(start)


def test_a_missing_or_unreadable_file_is_named() -> None:
    assert refusal({"config": "nowhere.yaml"}) == "There is no settings file nowhere.yaml."
    Path("bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8" in refusal({"config": "bytes.yaml"})
    Path("folder").mkdir()
    assert "Can't read the settings file folder" in refusal({"config": "folder"})


def test_an_empty_file_changes_nothing() -> None:
    write("parley.yaml", "# nothing yet\nport:\n")
    assert load_settings({}, {}).port == 8400


@pytest.mark.parametrize("origin", ["*", "example.org", "https://example.org/path", "ftp://example.org"])
def test_an_origin_is_scheme_host_and_port(origin: str) -> None:
    assert "must be origins" in refusal({}, {"PARLEY_CORS_ORIGINS": origin})


def test_origins_are_separated_by_commas() -> None:
    settings = load_settings({}, {"PARLEY_CORS_ORIGINS": "https://a.example, http://b.example:8080"})
    assert settings.cors_origins == ("https://a.example", "http://b.example:8080")


@pytest.mark.parametrize("proxy", ["https://proxy.test:3128", "socks5://ann:hidden@b:1", "on", "http://[::1"])
def test_a_proxy_is_an_address_and_is_not_repeated(proxy: str) -> None:
    if proxy == "on":  # a host's name, as curl takes it
        assert load_settings({}, {"PARLEY_PROXY": proxy}).proxy == proxy
        return
    said = refusal({}, {"PARLEY_PROXY": proxy})
    assert "PARLEY_PROXY: " in said
    assert "proxy" in said
    assert "hidden" not in said


def test_a_proxys_password_is_in_no_text() -> None:
    settings = load_settings({}, {"PARLEY_PROXY": "http://ann:hidden@proxy.test:3128"})
    assert "hidden" not in repr(settings) + str(settings)


def test_servers_without_a_proxy_are_separated_by_commas() -> None:
    settings = load_settings({}, {"PARLEY_NO_PROXY": " .Example.org, 10.0.0.0/8 ,"})
    assert settings.no_proxy == ("example.org", "10.0.0.0/8")


def test_every_setting_has_a_variable() -> None:
    assert "PARLEY_DATA_DIR" in variable_names()
    assert len(variable_names()) == len(Settings.model_fields)


def test_a_mistyped_variable_is_refused_with_a_suggestion() -> None:
    with pytest.raises(
        SettingsError, match=r"PARLEY_PROT: is not a setting \(did you mean “PARLEY_PORT”\?\)"
    ):
        load_settings({}, {"PARLEY_PROT": "3"})


def test_a_flags_name_as_a_variable_is_refused_with_the_setting_that_it_changes() -> None:
    with pytest.raises(SettingsError, match=r"did you mean “PARLEY_OPEN_BROWSER=false”\?"):
        load_settings({}, {"PARLEY_NO_OPEN": "1"})
