"""Tests of what `parley doctor` looks at."""

from pathlib import Path

import pytest
from sqlalchemy import text

from parley.cli import checks
from parley.plugins.registry import PluginProblem, Registry
from parley.settings import Settings
from parley.storage import schema
from parley.storage.database import Database
from tests.fakes.databases import Kind, an_empty_database, url_of
from tests.fakes.ports import free_port
from tests.features.catalog.discovery.test_checks import catalog


def test_a_data_folder_that_can_be_written_is_well(tmp_path: Path) -> None:
    assert checks.check_data_folder(tmp_path).state == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    assert checks.check_data_folder(tmp_path / "a" / "b").text.endswith("(created on the first start)")
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_inside_a_file_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert checks.check_data_folder(tmp_path / "file" / "data").state == "broken"


def test_a_variable_that_is_no_setting_is_noticed() -> None:
    check = checks.check_settings(Settings(), {"PARLEY_PROT": "1", "PARLEY_HOST": "x", "PATH": ""})
    assert check.state == "notice"
    assert check.advice == "These variables are not settings: PARLEY_PROT (did you mean “PARLEY_PORT”?)."


def test_a_page_that_was_not_built_is_broken(tmp_path: Path) -> None:
    assert checks.check_page(tmp_path).state == "broken"
    (tmp_path / "web_dist").mkdir()
    (tmp_path / "web_dist" / "index.html").touch()
    assert checks.check_page(tmp_path).state == "ok"


def test_a_plugin_that_was_skipped_is_broken() -> None:
    assert checks.check_plugins(Registry({}, {})).state == "ok"
    check = checks.check_plugins(Registry({}, {}, (PluginProblem("debates", "ImportError: x"),)))
    assert (check.state, check.advice) == ("broken", "Skipped: debates (ImportError: x).")


@pytest.mark.parametrize(
    ("names", "demo", "state"),
    [
        (("a", "b"), False, "ok"),
        (("a",), False, "notice"),
        ((), False, "notice"),
        (("a", "b"), True, "notice"),
    ],
)
def test_a_catalog_without_a_battle_in_it_is_noticed(names: tuple[str, ...], demo: bool, state: str) -> None:
    assert checks.check_models(Settings(), catalog(*names, demo=demo)).state == state


def test_versions_are_reported() -> None:
    assert checks.check_versions().text.startswith("Parley 0.")


async def test_the_database_is_named_by_kind_and_place(stored_in: Kind, tmp_path: Path) -> None:
    async with an_empty_database(stored_in) as url:
        settings = Settings.model_validate({"data_dir": tmp_path} | ({"database_url": url} if url else {}))
        check = await checks.check_database(settings)
    if stored_in == "sqlite":
        assert (check.state, check.text) == ("ok", "SQLite, empty (the first start creates the tables)")
    else:
        assert check.state == "ok"
        assert check.text.startswith("PostgreSQL “parley_test_")
        assert check.text.endswith("reachable, at revision " + schema.HEAD)


async def test_a_server_that_cannot_be_reached_is_reported_without_its_password() -> None:
    place = f"127.0.0.1:{free_port()}/none"
    check = await checks.check_database(Settings(database_url=f"postgresql://me:s3cret@{place}"))
    assert check.state == "broken"
    assert check.text.startswith("PostgreSQL “none” at 127.0.0.1: ")
    assert "s3cret" not in f"{check.text} {check.advice}"


@pytest.mark.databases("postgresql")
async def test_a_database_that_is_not_on_its_server_is_reported_without_the_password(
    stored_in: Kind,
) -> None:
    address = url_of("no_such_database_here").replace(
        "postgresql://postgres@", "postgresql://postgres:s3cret@"
    )
    check = await checks.check_database(Settings(database_url=address))
    assert check.state == "broken"
    assert check.text.startswith("PostgreSQL “no_such_database_here” at ")
    assert "s3cret" not in f"{check.text} {check.advice}"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:{port}/x?sslmode=disable", "127.0.0.1"),
        ("127.0.0.1:{port}/x?ssl=require", "127.0.0.1"),
        ("127.0.0.1:{port}/x?sslmode=bogus", "sslmode"),
        ("127.0.0.1:{port}/x?sslmode=verify-ca&sslrootcert=/nowhere/root.crt", "No such file"),
        ("127.0.0.1:port/x", "not like postgresql://"),
    ],
)
async def test_an_address_as_other_programs_write_it_is_understood_or_refused_in_words(
    address: str, words: str
) -> None:
    check = await checks.check_database(
        Settings(database_url=f"postgresql://me:s3cret@{address}".format(port=free_port()))
    )
    assert check.state == "broken"
    assert words in check.text
    assert "s3cret" not in f"{check.text} {check.advice}"


@pytest.mark.databases("postgresql")
async def test_parameters_of_an_address_reach_the_server() -> None:
    async with an_empty_database("postgresql") as url:
        assert url is not None
        address = f"{url}?sslmode=prefer&application_name=parley_here"
        database = Database(Settings(database_url=address).database_url)
        name = text("SELECT current_setting('application_name')")
        assert await database.read(lambda session: session.scalar(name)) == "parley_here"
        await database.close()
        assert (await checks.check_database(Settings(database_url=address))).state == "ok"


@pytest.mark.parametrize(("model", "state"), [("a", "ok"), ("aa", "notice")])
def test_a_model_for_titles_or_for_auto_that_is_not_there_is_noticed(model: str, state: str) -> None:
    for settings in (Settings(title_model=model), Settings(auto_model=model)):
        (check,) = checks.check_small_models(settings, catalog("a", "b"))
        assert check.state == state
    assert checks.check_small_models(Settings(), catalog("a", "b")) == []
