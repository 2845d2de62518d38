"""Tests of the record of what people did: who, what, on the chain of hashes that the votes have."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from parley.kernel.acts import Acts
from parley.kernel.errors import Unavailable
from parley.storage.database import Database
from tests.fakes.people import PASSWORD, SharedParley, a_shared_parley, hash_quickly, sign_in
from tests.fakes.running import RunningParley


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


async def entries_of(shared: SharedParley, query: str = "") -> list[dict[str, Any]]:
    page = await shared.administrator.get(f"/api/audit{query}")
    return page["entries"]


async def test_what_people_do_is_recorded_with_who_did_it(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    await shared.administrator.send("PATCH", f"/api/people/{jonas.id}", {"role": "administrator"})
    key = await jonas.send("POST", "/api/me/keys", {"name": "editor", "days": 90})
    assert (await jonas.client.delete(f"/api/me/keys/{key['key']['id']}")).status_code == 204
    entries = await entries_of(shared)
    assert [(each["person"], each["name"]) for each in reversed(entries)] == [
        ("Ana", "Sign in"),
        ("Ana", "Make an invitation"),
        ("Jonas", "Sign in"),
        ("Ana", "Change a person's role"),
        ("Jonas", entries[1]["name"]),
        ("Jonas", entries[0]["name"]),
    ]
    change = next(each for each in entries if each["name"].startswith("Change a person"))
    route = "PATCH /api/people/{person_id}"
    assert change["about"] == {"route": route, "person_id": jonas.id, "role": "administrator"}
    mine = await entries_of(shared, f"?person_id={jonas.id}")
    assert {each["person"] for each in mine} == {"Jonas"}
    assert len(mine) == 3


async def test_reading_refusals_and_questions_leave_no_entry(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    before = len(await entries_of(shared))
    await shared.administrator.get("/api/people")
    answer = await jonas.client.post("/api/people/invitations", json={"role": "member"})
    assert answer.status_code == 403
    answer = await jonas.client.put(
        "/api/me/password", json={"current": "wrong", "password": "another long one"}
    )
    assert answer.status_code >= 400
    assert len(await entries_of(shared)) == before


async def test_no_text_and_no_secret_is_recorded(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    new = "a completely different passphrase"
    answer = await jonas.client.put("/api/me/password", json={"current": PASSWORD, "password": new})
    assert answer.status_code == 204
    await jonas.send("POST", "/api/me/keys", {"name": "a name that people chose", "days": 90})
    stored = await shared.parley.application[Database].read(
        lambda transaction: [row[0] for row in transaction.execute(text("SELECT content FROM audit_log"))]
    )
    assert len(stored) >= 4
    whole = "".join(stored)
    for secret in (PASSWORD, new, "a name that people chose", "@example.org"):
        assert secret not in whole
    assert "PUT /api/me/password" in whole  # what is searched has the acts


async def test_the_chain_is_verified_and_a_changed_entry_is_found(shared: SharedParley) -> None:
    await shared.person("Jonas")
    report = await shared.administrator.get("/api/audit/verification")
    assert (report["ok"], report["entries"]) == (True, 3)

    def forge(transaction: Any) -> None:
        content = transaction.execute(text("SELECT content FROM audit_log WHERE seq = 2")).scalar()
        changed = re.sub(r'"person_id":"\w+"', '"person_id":"somebody"', content)
        transaction.execute(text("UPDATE audit_log SET content = :new WHERE seq = 2"), {"new": changed})

    await shared.parley.application[Database].write(forge)
    report = await shared.administrator.get("/api/audit/verification")
    assert (report["ok"], report["broken"]["seq"]) == (False, 2)
    assert len(await entries_of(shared)) == 3


async def test_the_log_is_for_administrators_and_goes_on_page_by_page(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    assert (await jonas.client.get("/api/audit")).status_code == 403
    assert (await jonas.client.get("/api/audit/verification")).status_code == 403
    for _ in range(50):
        await shared.administrator.send("POST", "/api/people/invitations", {"role": "member"})
    first = await shared.administrator.get("/api/audit")
    second = await shared.administrator.get(f"/api/audit?before={first['before']}")
    numbers = [each["seq"] for each in first["entries"] + second["entries"]]
    assert numbers == list(range(53, 0, -1))
    assert second["before"] is None


async def test_an_act_stands_even_if_it_cannot_be_recorded(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def busy(_self: object, _act: object) -> None:
        raise Unavailable("The database is busy.", "Try again.", code="database_busy")

    monkeypatch.setattr(type(shared.parley.application[Acts]), "record", busy)
    await sign_in(shared.parley, "Ana")
    assert "missing in the audit log" in caplog.text


async def test_a_personal_installation_records_no_acts(parley: RunningParley) -> None:
    await parley.post("/api/leaderboard/rebuild")
    page = await parley.get("/api/audit")
    assert (page["entries"], page["recording"]) == ([], False)
