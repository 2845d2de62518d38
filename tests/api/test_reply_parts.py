"""Tests of pictures that models make: from the provider's answer to the browser, the next question and the sweep."""

import io
from base64 import b64encode
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from parley.features.accounts.service import AccountsService
from parley.features.attachments.service import AttachmentsService
from parley.features.sessions.service import SessionsService
from parley.settings import Settings
from parley.storage.database import Database
from tests.api.test_attachments import a_picture, after_a_week, assert_harmless, purge_all
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import delta

DRAWS = ("text", "vision", "images")
MODELS = (ModelSpec("ada", capabilities=DRAWS), ModelSpec("bob", capabilities=("text",)))


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


def draws(parley: RunningParley, *pictures: bytes, model: str | None = None) -> None:
    """Let a model answer with pictures after “Look: ”."""
    urls = [f"data:image/png;base64,{b64encode(data).decode()}" for data in pictures]
    images = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    parley.upstream.stream(
        delta("Look: "), delta(images=images), delta("A cat.", finish="stop"), "[DONE]", model=model
    )


async def parts_of(parley: RunningParley, turn: dict[str, Any]) -> list[Any]:
    """Return the parts of each reply of a turn, as its viewer sees them."""
    view = await parley.get(f"/api/turns/{turn['turn_id']}")
    return [reply["parts"] for reply in view["turn"]["replies"]]


async def test_a_picture_of_a_model_is_shown_exported_and_part_of_what_is_asked_next(
    parley: RunningParley,
) -> None:
    draws(parley, a_picture())
    turn = await parley.chat("Draw a cat.")
    assert turn["status"] == "completed"
    ((part,),) = await parts_of(parley, turn)
    assert turn["responses"]["assistant"]["parts"] == [part], "who waits for the outcome gets them, too"
    file = part["attached"]
    assert (part["offset"], file["name"], file["width"], file["height"]) == (6, "picture.png", 30, 20)
    answer = await parley.client.get(f"/api/attachments/{file['sha256']}")
    assert Image.open(io.BytesIO(answer.content)).size == (30, 20)
    assert answer.headers["content-type"] == "image/png"
    assert_harmless(answer)
    exported = await parley.client.post("/api/sessions/export", json={"ids": [turn["session_id"]]})
    assert "Look: A cat.\n\n*[Attached: picture.png]*" in exported.text
    await parley.post(f"/api/matches/{turn['match_id']}/turns", {"input": {"text": "Make it blue."}})
    first, second = (request.json for request in parley.upstream.requests)
    assert first["modalities"] == ["image", "text"]
    _, said, question = second["messages"]
    assert said == {"role": "assistant", "content": "Look: \n\n[image 1]\n\nA cat."}
    shown, words = question["content"]
    assert shown["image_url"]["url"] == f"data:image/png;base64,{b64encode(answer.content).decode()}"
    assert words["text"] == "Make it blue."


async def test_a_model_without_eyes_goes_on_with_a_conversation_in_which_another_drew(
    parley: RunningParley,
) -> None:
    draws(parley, a_picture(), model="ada")
    turn = await parley.chat("Draw a cat.")
    body = {
        "prompt": "Describe it.",
        "mode": "chat",
        "seats": {"assistant": "bob"},
        "continue_from": {"turn_id": turn["turn_id"], "seat": "assistant"},
    }
    assert (await parley.post(f"/api/sessions/{turn['session_id']}/matches", body))["status"] == "completed"
    messages = parley.upstream.requests[-1].json["messages"]
    assert [message["content"] for message in messages[1:]] == [
        "Look: \n\n[image 1]\n\nA cat.",
        "Describe it.",
    ]


async def test_a_picture_of_a_blind_battle_names_no_model(parley: RunningParley) -> None:
    written = PngImagePlugin.PngInfo()
    written.add_text("Software", "Ada Labs")
    png, jpeg = a_picture(pnginfo=written), a_picture((31, 20), "JPEG", comment=b"Bob Labs")
    draws(parley, png, model="ada")
    draws(parley, jpeg, model="bob")
    battle = await parley.battle()
    left, right = await parts_of(parley, battle)
    files = [part["attached"] for part in (*left, *right)]
    assert {(file["name"], file["media_type"]) for file in files} == {("picture.jpg", "image/jpeg")}
    for file in files:
        answer = await parley.client.get(f"/api/attachments/{file['sha256']}")
        assert answer.content.startswith(b"\xff\xd8")
        assert b"Labs" not in answer.content
        assert answer.headers["content-disposition"].endswith("picture.jpg")


async def test_a_picture_that_is_none_fails_the_reply_and_keeps_the_text(parley: RunningParley) -> None:
    draws(parley, b"\x89PNG\r\n\x1a\n broken")
    turn = await parley.chat("Draw a cat.")
    view = await parley.get(f"/api/turns/{turn['turn_id']}")
    (reply,) = view["turn"]["replies"]
    assert (reply["status"], reply["text"], reply["parts"]) == ("failed", "Look: ", [])
    assert reply["error"]["code"] == "upstream_unusable_file"
    assert reply["error"]["detail"].startswith("“file” is a picture that can't be read: it is damaged.")


async def test_a_picture_is_kept_as_long_as_its_conversation(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws(parley, a_picture())
    turn = await parley.chat("Draw a cat.")
    parts = parley.application
    assert await parts[AttachmentsService].sweep() == 0
    await parts[SessionsService].delete(AccountsService.owner("inside"), turn["session_id"])
    await parts[Database].write(purge_all)
    assert await parts[AttachmentsService].sweep() == 0
    after_a_week(monkeypatch)
    assert await parts[AttachmentsService].sweep() == 2, "the picture and its thumbnail"
    folder = parts[Settings].data_dir / "attachments"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


async def test_a_disk_without_space_fails_the_reply_in_words(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: AttachmentsService) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(AttachmentsService, "new_upload", full)
    draws(parley, a_picture())
    turn = await parley.chat("Draw a cat.")
    view = await parley.get(f"/api/turns/{turn['turn_id']}")
    (reply,) = view["turn"]["replies"]
    assert (reply["text"], reply["error"]["code"]) == ("Look: ", "disk_full")
