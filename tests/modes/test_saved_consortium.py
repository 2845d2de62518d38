"""Consortia of the llm-consortium plugin: read from its store, seated, and written back."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.kernel.errors import Invalid, Unavailable
from parley.modes.consortium.prompts import GENERATOR
from parley.modes.consortium.saved import read_saved, seated, with_count, write_saved
from parley.storage import plugin_store
from parley.storage.plugin_store import llm_folder, plugin_folder, read_plugin_store, write_plugin_store

CATALOG = {"gpt-4o-mini": "gpt-4o-mini", "llama3:7": "llama3-7", "llama3": "llama3", "claude-3-opus": "opus"}
SAVED: dict[str, Any] = {
    "models": {"gpt-4o-mini": 2, "claude-3-opus": 1},
    "system_prompt": None,
    "confidence_threshold": 0.9,
    "max_iterations": 4,
    "minimum_iterations": 2,
    "arbiter": "claude-3-opus",
    "judging_method": "rank",
    "strategy": "elimination",
    "strategy_params": {"elimination_delay": 2},
    "manual_context": False,
}


def test_a_saved_consortium_is_seated_with_its_settings() -> None:
    taken = read_saved(SAVED, CATALOG.get)
    assert taken.seats == {"arbiter": "opus", "a": "gpt-4o-mini", "b": "gpt-4o-mini", "c": "opus"}
    assert taken.brief["confidence_threshold"] == 0.9
    assert (taken.brief["max_iterations"], taken.brief["minimum_iterations"]) == (4, 2)
    assert (taken.brief["judging_method"], taken.brief["strategy"]) == ("rank", "elimination")
    assert taken.brief["elimination_delay"] == 2
    assert taken.warnings == ()


def test_what_was_read_is_written_back_field_by_field() -> None:
    same = {name: name for name in SAVED["models"]}
    taken = read_saved(SAVED, same.get)
    written = write_saved(taken.seats, taken.brief)
    assert {**written, "strategy_params": None} == {**SAVED, "strategy_params": None}
    assert read_saved(written, same.get) == taken


def test_the_fields_of_early_versions_are_enough() -> None:
    taken = read_saved({"models": {"llama3": 1}, "arbiter": "llama3"}, CATALOG.get)
    assert taken.seats == {"arbiter": "llama3", "a": "llama3"}
    assert taken.brief["confidence_threshold"] == 0.8


def test_a_model_whose_name_ends_in_a_number_is_no_count() -> None:
    assert with_count("llama3:7", CATALOG.get) == ("llama3:7", 1)
    assert with_count("llama3:3", CATALOG.get) == ("llama3", 3)
    assert with_count("unknown:large", CATALOG.get) == ("unknown:large", 1)
    assert seated({"llama3:7": 2}, "llama3", CATALOG.get)["b"] == "llama3-7"
    assert seated({"llama3": 7}, "llama3", {"llama3": "l", "llama3:7": "seven"}.get)["g"] == "l"
    assert seated({"llama3": 7}, "opus", {"llama3:7": "seven", "opus": "o"}.get) == {
        "arbiter": "o",
        "a": "seven",
    }
    with pytest.raises(Invalid, match="from 1 to 10"):
        with_count("llama3:99", CATALOG.get)


def test_roles_of_the_plugin_go_to_the_seats_in_their_order() -> None:
    config = {**SAVED, "strategy": "role", "strategy_params": {"roles": ["Doubt", "Check"], "odd": 1}}
    taken = read_saved(config, CATALOG.get)
    assert taken.brief["roles"] == {"a": "Doubt", "b": "Check"}
    assert taken.warnings == ("strategy_params.odd is not used here.",)
    assert write_saved(taken.seats, taken.brief)["strategy_params"] == {"roles": ["Doubt", "Check"]}


def test_more_roles_than_members_are_reported_and_a_single_one_is_the_first() -> None:
    config: dict[str, Any] = {**SAVED, "models": {"llama3": 2}, "strategy": "role"}
    taken = read_saved({**config, "strategy_params": {"roles": ["One", "Two", "Three"]}}, CATALOG.get)
    assert taken.brief["roles"] == {"a": "One", "b": "Two"}
    assert taken.warnings == ("Only the first 2 of 3 roles are used, one for each member.",)
    single = read_saved({**config, "strategy_params": {"roles": "Doubt"}}, CATALOG.get)
    assert (single.brief["roles"], single.warnings) == ({"a": "Doubt"}, ())


def test_a_role_stays_with_its_member() -> None:
    seats = {"arbiter": "llama3", "a": "llama3", "b": "opus", "c": "llama3", "d": "opus"}
    brief = {"strategy": "role", "roles": {"b": "Doubt", "c": "Check"}}
    written = write_saved(seats, brief)
    assert written["models"] == {"llama3": 2, "opus": 2}
    assert written["strategy_params"] == {"roles": [GENERATOR, "Check", "Doubt"]}, (
        "as the plugin deals them out"
    )
    same = {name: name for name in ("llama3", "opus")}
    taken = read_saved(written, same.get)
    assert taken.seats == {"arbiter": "llama3", "a": "llama3", "b": "llama3", "c": "opus", "d": "opus"}
    assert taken.brief["roles"] == {"a": GENERATOR, "b": "Check", "c": "Doubt"}


def test_a_strategy_that_the_plugin_would_refuse_is_not_written() -> None:
    written = write_saved({"arbiter": "llama3", "a": "llama3"}, {"strategy": "council"})
    assert written["strategy"] == "default"
    assert (
        read_saved({**SAVED, "strategy": " Voting ", "strategy_params": None}, CATALOG.get).brief["strategy"]
        == "voting"
    )


def test_what_is_not_known_here_is_reported_and_left_out() -> None:
    taken = read_saved({**SAVED, "strategy": "semantic", "embedding_backend": "openai"}, CATALOG.get)
    assert taken.brief["strategy"] == "default"
    assert taken.warnings == ("The strategy semantic is unknown, so the default is used.",)


def test_a_setting_that_means_nothing_here_is_no_warning() -> None:
    assert read_saved({**SAVED, "embedding_backend": "openai", "raw": True}, CATALOG.get).warnings == ()


def test_how_similar_votes_are_is_taken_over_and_written_back() -> None:
    config = {**SAVED, "strategy": "voting", "strategy_params": {"similarity_threshold": 0.75}}
    taken = read_saved(config, CATALOG.get)
    assert (taken.brief["similarity_threshold"], taken.warnings) == (0.75, ())
    assert write_saved(taken.seats, taken.brief)["strategy_params"] == {"similarity_threshold": 0.75}


def test_a_judging_method_may_be_in_capitals() -> None:
    taken = read_saved({**SAVED, "judging_method": "RANK"}, CATALOG.get)
    assert (taken.brief["judging_method"], taken.warnings) == ("rank", ())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"models": {"llama3": 6, "claude-3-opus": 6}}, "models: a consortium has 1 to 10 members, not 12."),
        ({"max_iterations": 50}, "max_iterations: must be at most 10."),
        ({"minimum_iterations": 9}, "minimum_iterations: must not be more than max_iterations (4)."),
        ({"judging_method": "ORACLE"}, "judging_method: must be one of 'default', 'rank' or 'pick-one'."),
        (
            {"strategy": "voting", "strategy_params": {"similarity_threshold": 300}},
            "similarity_threshold: must be at most 1.0.",
        ),
    ],
)
def test_what_is_beyond_a_limit_is_refused_in_words(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_saved({**SAVED, **changed}, CATALOG.get)
    assert caught.value.title == message


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"models": {}}, "models"),
        ({"models": {"nobody": 1}}, "models"),
        ({"models": {"llama3": 11}}, "models"),
        ({"models": {"llama3": 0}}, "models"),
        ({"models": {"llama3": "many"}}, "models.llama3"),
        ({"arbiter": None}, "arbiter"),
        ({"arbiter": "nobody"}, "arbiter"),
        ({"confidence_threshold": 7000}, "confidence_threshold"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"strategy_params": {"elimination_delay": "soon"}}, "elimination_delay"),
    ],
)
def test_what_cannot_be_seated_names_its_field(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_saved({**SAVED, **changed}, CATALOG.get)
    assert caught.value.field == field


def a_store(file: Path, **configs: object) -> None:
    with closing(sqlite3.connect(file)) as store, store:
        store.execute(
            "CREATE TABLE consortium_configs (name TEXT PRIMARY KEY, config TEXT NOT NULL, created_at TEXT)"
        )
        for name, config in configs.items():
            text = msgspec.json.encode(config).decode()
            store.execute("INSERT INTO consortium_configs VALUES (?, ?, '2025-01-01')", (name, text))


def test_both_stores_of_the_plugin_are_read_and_the_newer_one_wins(tmp_path: Path) -> None:
    a_store(tmp_path / "logs.db", old={"arbiter": "a"}, both={"arbiter": "old"})
    a_store(tmp_path / "consortium_logs.db", both={"arbiter": "new"})
    found = {entry.name: msgspec.json.decode(entry.config) for entry in read_plugin_store(tmp_path)}
    assert found == {"old": {"arbiter": "a"}, "both": {"arbiter": "new"}}


def test_reading_leaves_the_store_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "consortium_logs.db"
    a_store(file, mine=SAVED)
    before = file.read_bytes()
    assert [entry.name for entry in read_plugin_store(file)] == ["mine"]
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_store_may_have_any_name(tmp_path: Path) -> None:
    a_store(tmp_path / "store of mine", mine=SAVED)
    assert write_plugin_store(tmp_path / "store of mine", "other", SAVED) == tmp_path / "store of mine"
    assert write_plugin_store(tmp_path / "new.db", "other", SAVED) == tmp_path / "new.db"
    assert [entry.name for entry in read_plugin_store(tmp_path / "store of mine")] == ["mine", "other"]


def test_one_entry_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    a_store(tmp_path / "logs.db", mine=SAVED)
    with closing(sqlite3.connect(tmp_path / "logs.db")) as store, store:
        store.execute("INSERT INTO consortium_configs VALUES ('torn', CAST(x'7bff' AS TEXT), '')")
        store.execute("INSERT INTO consortium_configs VALUES ('blob', x'00ff', '')")
    found = {entry.name: entry.config for entry in read_plugin_store(tmp_path)}
    assert sorted(found) == ["blob", "mine", "torn"]
    assert msgspec.json.decode(found["mine"]) == SAVED
    for name in ("blob", "torn"):
        with pytest.raises(msgspec.DecodeError):
            msgspec.json.decode(found[name])


def test_a_store_in_use_is_reported_and_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin_store, "PATIENCE_S", 0.05)
    a_store(tmp_path / "consortium_logs.db", mine=SAVED)
    with closing(sqlite3.connect(tmp_path / "consortium_logs.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Unavailable, match="locked"):
            read_plugin_store(tmp_path)
        with pytest.raises(Unavailable, match="locked"):
            write_plugin_store(tmp_path, "mine", SAVED)


def test_what_is_written_is_found_again_and_others_stay(tmp_path: Path) -> None:
    a_store(tmp_path / "consortium_logs.db", other=SAVED)
    for threshold in (0.5, 0.7):
        write_plugin_store(tmp_path, "mine", {**SAVED, "confidence_threshold": threshold})
    found = {entry.name: msgspec.json.decode(entry.config) for entry in read_plugin_store(tmp_path)}
    assert found["other"] == SAVED
    assert found["mine"]["confidence_threshold"] == 0.7


def test_a_store_that_is_not_there_or_no_database_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="There is no store"):
        read_plugin_store(tmp_path)
    (tmp_path / "logs.db").write_text("no database at all, but long enough to be read as one" * 20)
    with pytest.raises(Unavailable, match="cannot be used"):
        read_plugin_store(tmp_path)
    with pytest.raises(Unavailable, match="cannot be used"):
        write_plugin_store(tmp_path / "logs.db", "mine", SAVED)


def test_the_folder_is_where_llm_keeps_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    variables = {"LLM_USER_PATH": "/x", "XDG_CONFIG_HOME": "/c"}
    assert plugin_folder(variables) == Path("/c/io.datasette.llm")  # version 0.8 does not read LLM_USER_PATH
    assert llm_folder(variables) == Path("/x")
    assert llm_folder({"XDG_CONFIG_HOME": "/c"}) == Path("/c/io.datasette.llm")
    assert plugin_folder({"XDG_CONFIG_HOME": "/c"}) == Path("/c/io.datasette.llm")
    assert plugin_folder({}).name == "io.datasette.llm"
