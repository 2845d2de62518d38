"""The page on a Parley that keeps its data in PostgreSQL."""

from collections.abc import Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from parley.kernel.ids import random_id
from tests.browser.conftest import NewPage
from tests.browser.servers import Served, serve
from tests.browser.test_battle import ask
from tests.fakes.databases import in_own_loop, on_server, url_of


def elsewhere(work: Coroutine[Any, Any, None]) -> None:
    """Carry out a coroutine in a thread: the browser keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(in_own_loop, work).result()


@pytest.fixture
def stored(tmp_path: Path) -> Generator[Served]:
    """A Parley with the demo models on a PostgreSQL database of its own."""
    name = f"parley_test_{random_id()}"
    elsewhere(on_server(f"CREATE DATABASE {name}"))
    with serve(tmp_path / "data", database_url=url_of(name)) as served:
        yield served
    elsewhere(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


def test_a_battle_is_judged_and_is_there_again_after_a_reload(stored: Served, new_page: NewPage) -> None:
    page = new_page(stored.url)
    ask(page, "What is 17% of 2,340, step by step?")
    better = page.get_by_role("button", name="A is better")
    expect(better).to_be_visible(timeout=30_000)
    better.click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("You voted for")
    page.reload()
    expect(page.get_by_role("region", name="Result")).to_contain_text("You voted for")
    expect(page.get_by_role("main")).to_contain_text("1516")
    assert not (stored.data_dir / "parley.db").exists()
