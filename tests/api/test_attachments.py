"""Tests of attachments: pictures and files that come with questions, from the upload to the model and back."""

import io
import time
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from parley.engine.clock import WallClock
from parley.features.accounts.service import AccountsService
from parley.features.attachments.service import AttachmentsService
from parley.features.sessions.service import SessionsService
from parley.settings import Settings
from parley.storage.database import Database
from tests.fakes.databases import ON_EVERY_KIND, copy_empty
from tests.fakes.running import ModelSpec, Response, RunningParley, a_running_parley

SEES = ("text", "vision")
MODELS = (
    ModelSpec("ada", capabilities=SEES),
    ModelSpec("bob", capabilities=SEES),
    ModelSpec("cleo"),
    ModelSpec("dan"),
)
OCTETS = {"Content-Type": "application/octet-stream"}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


async def test_a_chat_about_a_picture_and_a_file_goes_on_with_both(parley: RunningParley) -> None:
    picture, table = (
        await upload(parley, a_picture(), "cat.png"),
        await upload(parley, b"a,b\n1,2\n", "t.csv"),
    )
    asked = [named(picture), named(table)]
    turn = await parley.chat("What is this?", attachments=asked)
    assert turn["status"] == "completed"
    body = {"input": {"text": "Are you sure?"}}
    await parley.post(f"/api/matches/{turn['match_id']}/turns", body)
    first, second = (request.json["messages"] for request in parley.upstream.requests)
    (question,) = first
    shown, text, words = question["content"]
    assert shown["image_url"]["url"].startswith("data:image/png;base64,")
    assert text == {"type": "text", "text": '<file name="t.csv">\na,b\n1,2\n\n</file>'}
    assert words == {"type": "text", "text": "What is this?"}
    assert second[0] == question
    assert [message["role"] for message in second] == ["user", "assistant", "user"]
    assert second[2]["content"] == "Are you sure?"


async def test_the_question_is_shown_and_exported_with_what_came_with_it(parley: RunningParley) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    turn = await parley.chat("What is this?", attachments=[{**named(picture), "name": "dog.png"}])
    session = await parley.get(f"/api/sessions/{turn['session_id']}")
    (said,) = session["matches"][0]["turns"][0]["input"]["attachments"]
    assert said == {**picture, "name": "dog.png"}
    export = await parley.client.get("/api/data/export")
    assert "dog.png" in export.text


async def test_a_picture_comes_back_without_what_the_camera_wrote_into_it(parley: RunningParley) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x8825] = 6, {1: "N", 2: (48.0, 8.0, 5.0)}  # turned, and where it was taken
    picture = await upload(parley, a_picture((40, 20), "JPEG", exif=exif), "cat.jpg")
    assert (picture["width"], picture["height"], picture["media_type"]) == (20, 40, "image/jpeg")
    answer = await parley.client.get(f"/api/attachments/{picture['sha256']}")
    assert not dict(Image.open(io.BytesIO(answer.content)).getexif())
    assert answer.headers["content-type"] == "image/jpeg"
    assert_harmless(answer)
    small = await parley.client.get(f"/api/attachments/{picture['sha256']}/thumbnail")
    assert small.headers["content-type"] == "image/webp"
    assert_harmless(small)


async def test_a_drawing_that_can_run_scripts_is_a_text_to_be_saved(parley: RunningParley) -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    file = await upload(parley, drawing, "logo.svg")
    assert file["media_type"] == "text/plain"
    answer = await parley.client.get(f"/api/attachments/{file['sha256']}")
    assert answer.content == drawing
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''logo.svg"
    assert_harmless(answer)


async def test_a_model_that_cannot_see_is_named_and_nothing_is_sent(parley: RunningParley) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    problem = await parley.post(
        "/api/sessions",
        {
            "prompt": "What is this?",
            "mode": "compare",
            "seats": {"a": "ada", "b": "cleo"},
            "attachments": [named(picture)],
        },
        status=422,
    )
    assert problem["code"] == "model_without_vision"
    assert problem["title"] == "Cleo can't read pictures."
    assert parley.upstream.requests == []
    assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_a_conversation_with_a_picture_is_not_carried_on_by_who_cannot_see(
    parley: RunningParley,
) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    turn = await parley.chat("What is this?", attachments=[named(picture)])
    body = {
        "prompt": "And now?",
        "mode": "chat",
        "seats": {"assistant": "cleo"},
        "continue_from": {"turn_id": turn["turn_id"], "seat": "assistant"},
    }
    problem = await parley.post(f"/api/sessions/{turn['session_id']}/matches", body, status=422)
    assert problem["title"] == "Cleo can't read pictures, and this conversation has one."
    body["seats"] = {"assistant": "bob"}
    assert (await parley.post(f"/api/sessions/{turn['session_id']}/matches", body))["status"] == "completed"


@ON_EVERY_KIND
async def test_a_person_sees_which_encoding_was_taken_and_chooses_another(parley: RunningParley) -> None:
    table = "konto;opis\n1;Gda\u0144sk\n".encode("cp1250")
    file = await upload(parley, table, "t.csv")
    assert file["encoding"] == "cp1252"
    offers = await parley.get(f"/api/attachments/{file['sha256']}/encodings")
    samples = {offer["encoding"]: offer["sample"] for offer in offers["encodings"]}
    assert (samples["cp1250"], samples["cp1252"]) == ("Gdańsk", "Gdañsk")
    assert "cp932" not in samples or samples["cp932"] != "Gdańsk"
    chosen = await parley.post(f"/api/attachments/{file['sha256']}/encodings/cp1250", {})
    assert (chosen["encoding"], chosen["name"]) == ("cp1250", "t.csv")
    await parley.chat("Where?", "cleo", attachments=[named(chosen)])
    (request,) = parley.upstream.requests
    assert "Gdańsk" in request.json["messages"][0]["content"][0]["text"]
    original = await parley.client.get(f"/api/attachments/{file['sha256']}")
    assert original.content == table


async def test_an_encoding_that_cannot_be_is_refused(parley: RunningParley) -> None:
    file = await upload(parley, "Москва".encode("cp1251"), "t.txt")
    base = f"/api/attachments/{file['sha256']}/encodings"
    assert (await parley.post(f"{base}/utf-8", {}, status=415))["code"] == "attachment_unsupported"
    assert (await parley.post(f"{base}/rot13", {}, status=422))["title"] == "This encoding is unknown."
    picture = await upload(parley, a_picture(), "cat.png")
    await parley.get(f"/api/attachments/{picture['sha256']}/encodings", status=404)
    await parley.post(f"/api/attachments/{'0' * 64}/encodings/cp1251", {}, status=404)


@ON_EVERY_KIND
async def test_a_picture_of_an_earlier_turn_can_be_attached_again(parley: RunningParley) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    await parley.chat("What is this?", attachments=[named(picture)])
    again = await upload(parley, a_picture(), "cat.png")
    turn = await parley.chat("And this?", attachments=[named(again)])
    assert turn["status"] == "completed"


async def test_a_model_that_cannot_see_reads_files(parley: RunningParley) -> None:
    file = await upload(parley, b"print('hello')\n", "hello.py")
    turn = await parley.chat("What does it print?", "cleo", attachments=[named(file)])
    assert turn["status"] == "completed"
    assert "print('hello')" in parley.upstream.requests[0].json["messages"][0]["content"][0]["text"]


async def test_a_battle_with_a_picture_draws_who_can_see_and_is_in_its_category(
    parley: RunningParley,
) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    asked = {"prompt": "What is this?", "attachments": [named(picture)]}
    battles = [await parley.post("/api/sessions", asked) for _ in range(6)]
    for battle in battles:
        assert set((await parley.seats(battle["session_id"])).values()) == {"ada", "bob"}
    battle = battles[-1]
    vote = await parley.vote(battle["match_id"])
    card = (await parley.get("/api/votes"))["votes"][0]
    assert "vision" in card["categories"]
    reasons = (await parley.get(f"/api/votes/{vote['vote_id']}/categories"))["reasons"]
    assert {"category": "vision", "rule": "a picture", "matched": "1 picture"} in reasons
    table = await parley.get("/api/leaderboard")
    assert "vision" in [category["id"] for category in table["categories"]]


async def test_a_picture_that_comes_late_tells_nothing_of_who_was_drawn(parley: RunningParley) -> None:
    picture = await upload(parley, a_picture(), "cat.png")
    problems: set[str] = set()
    for _ in range(8):
        battle = await parley.battle()
        body = {"input": {"text": "And this?", "attachments": [named(picture)]}}
        problem = await parley.post(f"/api/matches/{battle['match_id']}/turns", body, status=409)
        problems.add(repr(problem))
    assert len(problems) == 1
    assert "picture_too_late" in problems.pop()


async def test_other_modes_take_none_and_unknown_ones_are_named(parley: RunningParley) -> None:
    file = await upload(parley, b"hello", "hello.txt")
    seats = {"a": "ada", "b": "bob", "arbiter": "cleo"}
    body: dict[str, Any] = {
        "prompt": "Hi",
        "mode": "consortium",
        "seats": seats,
        "attachments": [named(file)],
    }
    problem = await parley.post("/api/sessions", body, status=422)
    assert problem["title"] == "Consortium does not accept pictures or files."
    unknown = {"sha256": "0" * 64, "name": "gone\u202etxt.exe"}
    body = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}, "attachments": [unknown]}
    problem = await parley.post("/api/sessions", body, status=422)
    assert (problem["code"], problem["field"]) == ("attachment_missing", "attachments.0")
    assert problem["title"] == "“gonetxt.exe” is no longer available."


@ON_EVERY_KIND
async def test_what_no_conversation_has_is_deleted_after_a_week(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, file = await upload(parley, a_picture(), "cat.png"), await upload(parley, b"hello", "hello.txt")
    turn = await parley.chat("What is this?", attachments=[named(picture), named(file)])
    other = await parley.chat("And this?", attachments=[named(file)])
    await upload(parley, b"never sent", "draft.txt")
    parts = parley.application
    await parts[SessionsService].delete(AccountsService.owner("inside"), turn["session_id"])
    await parts[Database].write(purge_all)
    assert await parts[AttachmentsService].sweep() == 0, (
        "files stay for a week, for those who restore a backup"
    )
    after_a_week(monkeypatch)
    assert await parts[AttachmentsService].sweep() == 2, "the picture and its thumbnail"
    assert (await parley.client.get(f"/api/attachments/{picture['sha256']}")).status_code == 404
    assert (await parley.client.get(f"/api/attachments/{file['sha256']}")).content == b"hello"
    await parley.client.delete("/api/data?confirm=delete")
    assert other["status"] == "completed"
    folder = parts[Settings].data_dir / "attachments"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


async def test_unused_files_are_counted_and_removed_before_their_time(parley: RunningParley) -> None:
    picture, file = await upload(parley, a_picture(), "cat.png"), await upload(parley, b"hello", "t.txt")
    turn = await parley.chat("What is this?", attachments=[named(picture)])
    other = await parley.chat("And this?", attachments=[named(file)])
    parts = parley.application
    await parts[SessionsService].delete(AccountsService.owner("inside"), turn["session_id"])
    await parts[Database].write(purge_all)
    later = parts[AttachmentsService]._now() + timedelta(days=2)
    await parts[AttachmentsService]._sweep(later, later - timedelta(days=30))
    counted = (await parley.client.get("/api/files/unused")).json()
    assert (counted["files"], counted["kept_days"]) == (2, 7), "the picture and its thumbnail"
    assert counted["bytes"] >= picture["size"]
    assert counted["oldest"] is not None
    assert (await parley.client.get("/api/files/unused?days=1")).json()["files"] == 0
    assert (await parley.client.delete("/api/files/unused?days=1")).json()["files"] == 0
    assert (await parley.client.delete("/api/files/unused?days=0")).json() == counted
    assert (await parley.client.get("/api/files/unused")).json()["files"] == 0
    assert (await parley.client.get(f"/api/attachments/{file['sha256']}")).content == b"hello"
    assert other["status"] == "completed"
    kept = [path for path in (parts[Settings].data_dir / "attachments").rglob("*") if path.is_file()]
    assert [path.name for path in kept] == [file["sha256"]]


@ON_EVERY_KIND
async def test_trying_another_database_keeps_the_files_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data" / "attachments"
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        picture = await upload(parley, a_picture(), "cat.png")
        await parley.chat("What is this?", attachments=[named(picture)])
    files = {path for path in folder.rglob("*") if path.is_file()}
    await copy_empty(tmp_path / "other.db")
    async with a_running_parley(
        tmp_path, models=MODELS, database_url=f"sqlite:///{tmp_path}/other.db"
    ) as other:
        await upload(other, a_picture(), "cat.png")
        assert len([path for path in folder.rglob("*") if path.is_file()]) == 4
        await other.client.delete("/api/data?confirm=delete")
        after_a_week(monkeypatch)
        await other.application[AttachmentsService].sweep()
    assert {path for path in folder.rglob("*") if path.is_file()} == files


async def test_restoring_an_older_database_loses_no_newer_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, folder = tmp_path / "data" / "parley.db", tmp_path / "data" / "attachments"
    settings: dict[str, Any] = {"models": MODELS, "database_url": f"sqlite:///{database}"}
    async with a_running_parley(tmp_path, **settings) as parley:
        assert await parley.application[AttachmentsService].sweep() == 0
    older = database.read_bytes()
    async with a_running_parley(tmp_path, **settings) as parley:
        await upload(parley, a_picture(), "cat.png")
    files = {path for path in folder.rglob("*") if path.is_file()}
    database.write_bytes(older)
    async with a_running_parley(tmp_path, **settings) as parley:
        after_a_week(monkeypatch)
        assert await parley.application[AttachmentsService].sweep() == 0
    assert {path for path in folder.rglob("*") if path.is_file()} == files


async def test_files_from_before_each_database_had_a_folder_are_deleted_too(tmp_path: Path) -> None:
    folder, database = tmp_path / "data" / "attachments", tmp_path / "data" / "parley.db"
    settings: dict[str, Any] = {"models": MODELS, "database_url": f"sqlite:///{database}"}
    async with a_running_parley(tmp_path, **settings) as parley:
        picture = await upload(parley, a_picture(), "cat.png")
        await parley.chat("What is this?", attachments=[named(picture)])
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.parent.rename(folder / path.parent.name)
    unknown = folder / "ab" / ("ab" * 32)
    unknown.parent.mkdir(exist_ok=True)
    unknown.write_bytes(b"of another database")
    await copy_empty(tmp_path / "other.db")
    trial = f"sqlite:///{tmp_path}/other.db"
    async with a_running_parley(tmp_path, models=MODELS, database_url=trial) as other:
        await other.client.delete("/api/data?confirm=delete")
    async with a_running_parley(tmp_path, **settings) as parley:
        assert (await parley.client.get(f"/api/attachments/{picture['sha256']}")).status_code == 200
        await parley.client.delete("/api/data?confirm=delete")
    assert [path for path in folder.rglob("*") if path.is_file()] == [unknown]


def after_a_week(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Parley's clock be nine days ahead."""
    later = time.time() + 9 * 24 * 3600
    monkeypatch.setattr(WallClock, "now", lambda _: later)


def purge_all(transaction: Any) -> None:
    from datetime import UTC, datetime

    from parley.features.sessions.repository import SessionsRepository

    SessionsRepository(transaction).purge(datetime(2100, 1, 1, tzinfo=UTC))


def a_picture(size: tuple[int, int] = (30, 20), kind: str = "PNG", **options: Any) -> bytes:
    """Return a picture with something to see on it."""
    out = io.BytesIO()
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    image.save(out, kind, **options)
    return out.getvalue()


async def upload(parley: RunningParley, content: bytes, name: str, status: int = 200) -> Any:
    """Upload a file; return what the server says of it."""
    return await parley.post(
        "/api/attachments", status=status, content=content, params={"name": name}, headers=OCTETS
    )


def named(attached: dict[str, Any]) -> dict[str, Any]:
    """Return an upload as a question names it."""
    return {"sha256": attached["sha256"], "name": attached["name"]}


def assert_harmless(answer: Response) -> None:
    assert answer.status_code == 200
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
