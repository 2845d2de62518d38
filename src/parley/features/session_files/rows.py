"""A conversation of a file as the rows of a chat that can be continued."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

import msgspec

from parley.features.session_files.conversation import Conversation, Exchange
from parley.features.sessions.indexing import search_row
from parley.kernel.caller import Caller
from parley.kernel.ids import random_id
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import sha256_text
from parley.kernel.seats import SeatSettings
from parley.modes.chat import Chat, ChatBrief
from parley.storage.tables.conversations import (
    MatchRow,
    ReplyRow,
    SeatRow,
    SessionRow,
    SessionTagRow,
    TurnRow,
)
from parley.storage.tables.rows import Row
from parley.storage.tables.search import SearchTextRow
from parley.text.folding import folded
from parley.text.titles import title_of

SEAT = "assistant"
UNTITLED = "Imported chat"
TITLE_CHARS = 200
STRETCHES = 40
"""The most chats that a conversation may become: a model reads 64 that continue each other, and people go on."""

RULES_CHARS = 2_000_000
"""The most characters of system messages that a conversation may become: each chat has all that hold there."""

NOT_ASKED = "0" * 64
"""Instead of the digest of the model's input, since it was asked elsewhere."""


def session_id_of(conversation: Conversation, owner_id: str) -> str:
    """Return the id of an imported conversation, the same at every import."""
    whole = f"{owner_id}/{conversation.source}/{conversation.key}"
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:32]


def rows_of(
    conversation: Conversation, caller: Caller, models: Mapping[str | None, str], now: datetime
) -> Iterator[Row]:
    """Yield the rows of a session, in the order in which they refer to each other.

    Each change of model or system prompt begins another chat that carries on from the one before. `models` are ids by
    the names in the file.
    """
    exchanges = conversation.exchanges()
    session = _session(conversation, exchanges, caller, now)
    yield session
    yield from (SessionTagRow(session.id, tag, caller.person_id) for tag in conversation.tags)
    before: str | None = None
    longest = max(len(conversation.system_prompt(rules)) for rules in {each.rules for each in exchanges})
    most = max(1, min(STRETCHES, RULES_CHARS // max(longest, 1)))
    for index, (model_id, rules, stretch) in enumerate(_stretches(exchanges, models, most)):
        match = _match(session, index)
        yield match
        prompt = conversation.system_prompt(rules)
        settings = msgspec.to_builtins(SeatSettings(system_prompt=prompt)) if prompt else None
        parent = (before, SEAT if before else None)
        yield SeatRow(random_id(), match.id, 0, SEAT, SEAT, model_id, settings, 0, None, *parent)
        for place, exchange in enumerate(stretch):
            turn = _turn(match, place, exchange, caller.author_id)
            yield turn
            yield from _texts(turn, exchange, model_id)
            before = turn.id


def _stretches(
    exchanges: Sequence[Exchange], models: Mapping[str | None, str], most: int
) -> Iterator[tuple[str, tuple[int, int], list[Exchange]]]:
    """Yield a model, its system messages, and what was asked of it in a row.

    If there are more than `most`, the first ones become one: there, answers of other models begin with a name.
    """
    stretches = [
        (*same, list(stretch))
        for same, stretch in groupby(exchanges, lambda each: (models[each.model], each.rules))
    ]
    if (surplus := len(stretches) - most) > 0:
        model_id, rules, _ = stretches[surplus]
        first = [
            each if model == model_id else _named(each)
            for model, _, stretch in stretches[: surplus + 1]
            for each in stretch
        ]
        stretches[: surplus + 1] = [(model_id, rules, first)]
    yield from stretches


def _named(exchange: Exchange) -> Exchange:
    """Return an exchange whose answer begins with its model's name."""
    if not exchange.answer or exchange.model is None:
        return exchange
    return msgspec.structs.replace(exchange, answer=f"**{exchange.model}**\n\n{exchange.answer}")


def _session(
    conversation: Conversation, exchanges: list[Exchange], caller: Caller, now: datetime
) -> SessionRow:
    created = min(conversation.created_at or conversation.updated_at or now, now)
    title = " ".join(conversation.title.split())[:TITLE_CHARS]
    return SessionRow(
        id=session_id_of(conversation, caller.person_id),
        owner_id=caller.person_id,
        space_id=caller.space_id,
        title=title or title_of(exchanges[0].question) or UNTITLED,
        mode=Chat.name,
        archived=conversation.archived,
        created_at=created,
        updated_at=min(max(conversation.updated_at or created, created), now),
        deleted_at=None,
        pinned=conversation.pinned,
    )


def _match(session: SessionRow, index: int) -> MatchRow:
    return MatchRow(
        id=random_id(),
        session_id=session.id,
        owner_id=session.owner_id,
        index=index,
        mode=Chat.name,
        brief=ChatBrief().model_dump(mode="json"),
        brief_version=ChatBrief().version,
        blind=False,
        paced=False,
        ballot=None,
        status="open",
        void=None,
        propensity=None,
        created_at=session.created_at,
    )


def _turn(match: MatchRow, index: int, exchange: Exchange, author_id: str) -> TurnRow:
    return TurnRow(
        id=random_id(),
        match_id=match.id,
        session_id=match.session_id,
        owner_id=match.owner_id,
        author_id=author_id,
        index=index,
        input=msgspec.to_builtins(PromptInput(exchange.question)),
        input_sha256=sha256_text(exchange.question),
        status="completed" if exchange.answer else "stopped",
        play=1,
        error=None,
        created_at=match.created_at,
        ended_at=match.created_at,
        searchable=True,
    )


def _texts(turn: TurnRow, exchange: Exchange, model_id: str) -> Iterator[Row]:
    if exchange.question:
        yield SearchTextRow(turn.session_id, turn.owner_id, is_title=False, text=folded(exchange.question))
    if exchange.answer:
        reply = _reply(turn, exchange, model_id)
        yield reply
        yield search_row(turn.session_id, turn.owner_id, turn.id, reply.id, reply.text)


def _reply(turn: TurnRow, exchange: Exchange, model_id: str) -> ReplyRow:
    return ReplyRow(
        id=random_id(),
        turn_id=turn.id,
        parent_reply_id=None,
        path="",
        round=0,
        seat=SEAT,
        purpose="answer",
        order=0,
        model_id=model_id,
        attempt=1,
        status="completed",
        text=exchange.answer,
        released=None,
        reasoning=exchange.reasoning,
        text_sha256=sha256_text(exchange.answer),
        messages_sha256=NOT_ASKED,
        finish_reason="stop",
        metrics=None,
        error=None,
        timeline=None,
    )
