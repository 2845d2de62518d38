"""A server whose database is locked or silent: votes are refused in time, the rest answers, SIGTERM ends it."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx2 as httpx  # noqa: TID251 - the answers of these tests' client
import pytest

from tests.fakes.databases import ON_EVERY_KIND, Kind, a_blank_database, connect
from tests.fakes.process import processes
from tests.fakes.running import Client, write_models
from tests.fakes.silent_server import Silence, a_way_that_can_fall_silent
from tests.fakes.upstream import ScriptedUpstream

LIMIT_S = 20.0
"""Without a limit of its own, everything here would wait for as long as the database is away."""
STOP_GRACE = "2"
"""Seconds that requests and streams have to end: what a locked database adds shows, also on a busy machine."""

VOTERS = 24
"""More than there are connections to the database."""

Outage = Callable[[], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def a_locked_file(path: Path) -> AsyncGenerator[None]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@asynccontextmanager
async def a_locked_table(url: str) -> AsyncGenerator[None]:
    outside = await connect(url.rpartition("/")[2])
    try:
        async with outside.transaction():
            await outside.execute("LOCK TABLE votes IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await outside.close()


@asynccontextmanager
async def a_silent_server(way: Silence) -> AsyncGenerator[None]:
    way.silent = True
    try:
        yield
    finally:
        way.silent = False


async def timed(
    asked: "asyncio.Future[httpx.Response] | asyncio.Task[httpx.Response]",
) -> tuple[httpx.Response, float]:
    clock = asyncio.get_running_loop().time
    began = clock()
    return await asked, clock() - began


@ON_EVERY_KIND
async def test_while_the_database_is_locked_votes_are_refused_in_time_and_the_server_can_end(
    stored_in: Kind, tmp_path: Path
) -> None:
    if stored_in == "sqlite":
        file = tmp_path / "data" / "parley.db"
        await refuses_in_time_and_ends(tmp_path, {}, lambda: a_locked_file(file), readable=True)
        return
    async with a_blank_database() as url:
        variables = {"PARLEY_DATABASE_URL": url}
        await refuses_in_time_and_ends(tmp_path, variables, lambda: a_locked_table(url), readable=True)


@pytest.mark.databases("postgresql")
async def test_while_the_database_is_silent_votes_are_refused_in_time_and_the_server_can_end(
    tmp_path: Path,
) -> None:
    async with a_blank_database() as url, a_way_that_can_fall_silent() as way:
        variables = {"PARLEY_DATABASE_URL": way.url(url)}
        await refuses_in_time_and_ends(tmp_path, variables, lambda: a_silent_server(way), readable=False)


async def refuses_in_time_and_ends(
    folder: Path, variables: dict[str, str], outage: Outage, *, readable: bool
) -> None:
    """Vote, read and stop while the database is away, which may still be `readable` then."""
    async with ScriptedUpstream() as upstream:
        models = write_models(folder / "models.yaml", upstream.url, ("ada", "bob"))
        with processes(folder, models) as start:
            server = await asyncio.to_thread(lambda: start(PARLEY_STOP_GRACE=STOP_GRACE, **variables))
            await asyncio.to_thread(server.wait_until_ready)
            async with Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False) as client:
                bodies = [{"prompt": f"Question {n}?"} for n in range(VOTERS)]
                made = [await client.post("/api/sessions", json=body) for body in bodies]
                battles = [answer.json()["match_id"] for answer in made]

                def vote(match_id: str) -> "asyncio.Task[httpx.Response]":
                    path = f"/api/battles/{match_id}/vote"
                    return asyncio.create_task(client.post(path, json={"vote": "left"}))

                async with outage():
                    votes = [asyncio.create_task(timed(vote(match_id))) for match_id in battles]
                    await asyncio.sleep(0.3)
                    asked = [
                        asyncio.create_task(client.get(path))
                        for path in ("/readyz", "/healthz", "/api/sessions")
                    ]
                    answers = [await timed(one) for one in asked]
                    assert [answer.status_code for answer, _ in answers] == [
                        503,
                        200,
                        200 if readable else 503,
                    ]
                    assert max(seconds for _, seconds in answers) < LIMIT_S
                    refused = await asyncio.gather(*votes)
                    assert {answer.status_code for answer, _ in refused} == {503}
                    assert all(int(answer.headers["retry-after"]) > 0 for answer, _ in refused)
                    assert max(seconds for _, seconds in refused) < LIMIT_S
                async with asyncio.timeout(20):  # the first one may still meet a connection of the outage
                    while (await vote(battles[0])).status_code == 503:  # noqa: ASYNC110
                        await asyncio.sleep(0.1)
                for match_id in battles[1:6]:
                    assert (await vote(match_id)).status_code == 200, "it goes on by itself"
                assert (await client.get("/readyz")).status_code == 200
                body = {"prompt": "More?", "mode": "chat", "seats": {"assistant": "ada"}}
                upstream.reply("Slow ", "answer.", hold_after=1, model="ada")
                stream = asyncio.create_task(client.post("/api/sessions", json=body))
                await upstream.wait_for_requests(2 * VOTERS + 1)
                async with outage():
                    waiting = [vote(match_id) for match_id in battles[-3:]]
                    await asyncio.sleep(0.2)
                    code, took = await asyncio.to_thread(server.stop)
                assert (code, took < LIMIT_S) == (0, True), (code, took, server.log.read_text("utf-8"))
                await asyncio.gather(stream, *waiting, return_exceptions=True)
                assert "Traceback" not in server.log.read_text("utf-8")
