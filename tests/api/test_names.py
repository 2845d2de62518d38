"""Names that a person sets take no control characters, whatever they name; names of every language are fine."""

from typing import Any

import pytest

from tests.fakes.running import RunningParley

CONTROLS = ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u202e", "\u2066"]
FINE = ["Ünï 模型 🧑‍🔬", "می‌خواهم", "\u200fعربي\u200e", "a  b"]

MESSAGES = {"messages": [{"role": "user", "text": "x"}]}


def bodies(name: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every request that sets a name."""
    near = {"base_url": "http://127.0.0.1:9/v1"}
    return [
        ("POST", "/api/prompts", {"name": name, **MESSAGES}),
        ("POST", "/api/presets", {"mode": "chat", "name": name, "seats": {}}),
        ("POST", "/api/providers", {**near, "name": name}),
        ("POST", "/api/providers", {**near, "name": "Near", "region": name}),
        ("POST", "/api/providers", {**near, "name": "Far", "models": [{"model": name}]}),
        ("POST", "/api/providers", {**near, "name": "Far", "models": [{"model": "m", "name": name}]}),
        ("POST", "/api/providers", {**near, "name": "Far", "models": [{"model": "m", "organization": name}]}),
    ]


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
async def test_a_name_with_a_control_character_is_refused_in_words(
    parley: RunningParley, control: str
) -> None:
    session_id = (await parley.chat())["session_id"]
    name = f"a{control}b"
    changes = [
        ("PATCH", f"/api/sessions/{session_id}", change) for change in ({"title": name}, {"tags": [name]})
    ]
    for method, path, body in (*bodies(name), *changes):
        refused = await parley.client.request(method, path, json=body)
        assert refused.status_code == 422, (path, body)
        assert "has the control character U+" in refused.text, (path, refused.text)


async def test_names_of_every_language_are_taken(parley: RunningParley) -> None:
    for name in FINE:
        saved = await parley.post("/api/prompts", {"name": name, **MESSAGES})
        assert saved["prompt"]["name"] == " ".join(name.split())


@pytest.mark.parametrize("path", ["%E0%A4%A", "%", "%ff", "%C3%28", "%zz", "a%2"])
async def test_an_address_that_cannot_be_decoded_names_nothing(parley: RunningParley, path: str) -> None:
    for address in (f"/api/sessions/{path}", f"/api/turns/{path}", f"/api/{path}", f"/assets/{path}"):
        assert (await raw(parley, address)) == 404, address
    assert (await raw(parley, f"/s/{path}")) in (200, 503)


async def raw(parley: RunningParley, address: str) -> int:
    """Return the status of a request whose path is sent as it is."""
    import asyncio
    from urllib.parse import urlsplit

    place = urlsplit(parley.base_url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(f"GET {address} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    return status


async def test_one_bad_row_leaves_the_other_models_readable(parley: RunningParley) -> None:
    """A value that no version writes makes one model unreadable, not the list."""
    from sqlalchemy import update

    from parley.features.catalog.sources import CatalogSources
    from parley.features.catalog.tables import ModelRow
    from parley.storage.database import Database, Transaction

    models = [{"model": f"m{number}", "id": f"m{number}"} for number in range(8)]
    await parley.post(
        "/api/providers", {"name": "Lab", "base_url": "http://127.0.0.1:9/v1", "models": models}
    )
    routes = [{"provider": "lab", "model": "m"}]
    bad: list[Any] = [
        {"routes": routes, "context_window": 10**15},
        {"routes": routes, "prices": {"input": "x"}},
        {"routes": "x"},
        {"routes": routes, "tags": 3},
        {"routes": routes, "timeout_s": -1},
        [],
        None,
    ]

    def spoil(transaction: Transaction) -> None:
        for number, entry in enumerate(bad):
            row = update(ModelRow.table).where(ModelRow.c.id == f"m{number}").values(entry=entry)
            transaction.execute(row)

    await parley.application[Database].write(spoil)
    await parley.application[CatalogSources].reload()
    listed = {model["id"] for model in (await parley.get("/api/models"))["models"]}
    assert "m7" in listed
    assert listed.isdisjoint({f"m{number}" for number in range(7)})
    assert (await parley.client.delete("/api/providers/lab")).status_code == 200


async def test_a_number_that_json_cannot_carry_is_refused(parley: RunningParley) -> None:
    body = {"name": "Lab", "base_url": "http://127.0.0.1:9/v1"}
    for field, value in (("context_window", 10**30), ("context_window", 2**63)):
        models = [{"model": "m", field: value}]
        refused = await parley.client.post("/api/providers", json={**body, "models": models})
        assert refused.status_code == 422
    refused = await parley.client.post("/api/providers", json={**body, "priority": 10**30})
    assert refused.status_code == 422
    assert (await parley.client.get("/api/models")).status_code == 200
