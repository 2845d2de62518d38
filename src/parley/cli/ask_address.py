"""Finds out what `parley ask` asks, which model, and in which chat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from parley.cli.default_model import default_model
from parley.cli.model_names import model_ids, model_resolver
from parley.cli.prompts import checked_prompt, say_how_to_type
from parley.cli.typed import can_ask, typed_text

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings


@dataclass(frozen=True)
class Address:
    """A prompt, the model that it is for, and the chat that it continues: its session and last match with turns."""

    prompt: str
    model_id: str
    session_id: str | None = None
    chat: "dict[str, Any] | None" = None


@dataclass(frozen=True)
class Request:
    """The path and body that start a turn."""

    path: str
    body: dict[str, Any]


async def addressed(
    client: "ApiClient",
    settings: "Settings",
    model: str | None,
    words: Sequence[str],
    piped: str,
    *,
    continues: bool,
) -> Address:
    """Return what is asked, of which model, and where. Raises ParleyError.

    Without `model`, the first word names one if a prompt follows, or if it is the name of one. A chat that is continued
    keeps its model unless another one is named.
    """
    session_id, chat = await _last_chat(client) if continues else (None, None)
    if model is not None:
        (model_id,) = await model_ids(client, [model])
        named: str | None = model_id
    else:
        named, words = await _named(client, words, piped)
    if named is None and chat is not None:
        named = _model_of(chat)
    prompt = await _prompt(words, piped)
    return Address(prompt, named or await default_model(client, settings), session_id, chat)


async def _named(client: "ApiClient", words: Sequence[str], piped: str) -> tuple[str | None, Sequence[str]]:
    """Return the model that the first word names, and the words of the prompt. Raises NotFound for a wrong name."""
    from parley.kernel.errors import NotFound

    if not words or words[0] == "-":
        return None, words
    if (model_id := (await model_resolver(client))(words[0])) is not None:
        return model_id, words[1:]
    if len(words) == 1 and not (piped and " " not in words[0].strip()):
        return None, words
    try:
        await model_ids(client, words[:1])
    except NotFound as error:
        if len(words) == 1 and "did you mean" not in error.title:
            return None, words
        title, quotes = error.title, "To ask the default model, put the whole prompt in quotes."
        raise NotFound(title, f"{error.detail} {quotes}", code=error.leaf_code) from None
    return None, words


async def _prompt(words: Sequence[str], piped: str) -> str:
    text = " ".join(words) if list(words) != ["-"] else ""
    if not text and not piped and can_ask():
        say_how_to_type()
        text = await typed_text()
    return checked_prompt(text, piped)


async def _last_chat(client: "ApiClient") -> tuple[str, dict[str, Any]]:
    """Return the last chat's session, and its last match with the turns. Raises NotFound."""
    from parley.kernel.errors import NotFound

    sessions = (await client.get("/api/sessions", mode="chat", archived="false", limit="1"))["sessions"]
    if not sessions:
        raise NotFound("There is no chat to continue.", "Nothing was sent. Leave out --continue.")
    session_id: str = sessions[0]["id"]
    matches = (await client.get(f"/api/sessions/{quote(session_id, safe='')}"))["matches"]
    return session_id, [record for record in matches if record["match"]["mode"] == "chat"][-1]


def next_turn(
    address: Address, seat_settings: dict[str, object], attachments: list[dict[str, str]]
) -> Request:
    """Return the request for the turn: in a new session, in the chat's match, or in one that continues it otherwise."""
    question: dict[str, Any] = {"attachments": attachments}
    chat = address.chat
    if chat is not None and not seat_settings and _model_of(chat) == address.model_id:
        path = f"/api/matches/{quote(chat['match']['id'], safe='')}/turns"
        return Request(path, {"input": {"type": "prompt", "text": address.prompt, **question}})
    body: dict[str, Any] = {
        "prompt": address.prompt,
        "mode": "chat",
        "seats": {"assistant": address.model_id},
        **question,
    }
    if seat_settings:
        body["seat_settings"] = {"assistant": seat_settings}
    if chat is None or address.session_id is None:
        return Request("/api/sessions", body)
    body["continue_from"] = {"turn_id": chat["turns"][-1]["id"], "seat": chat["match"]["seats"][0]["name"]}
    return Request(f"/api/sessions/{quote(address.session_id, safe='')}/matches", body)


def _model_of(chat: dict[str, Any]) -> str | None:
    """Return the id of the model that a chat is with; None if it is gone."""
    model = chat["match"]["seats"][0]["model"]
    return model["id"] if model else None
