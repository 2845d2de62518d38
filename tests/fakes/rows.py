"""Rows of a turn as tests need them: what is not given is as good as any."""

from datetime import UTC, datetime
from typing import Any

from parley.storage.tables.conversations import ReplyRow, TurnRow

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_turn(**given: Any) -> TurnRow:
    """Return a completed turn."""
    usual = {
        "id": "t",
        "match_id": "m",
        "session_id": "s",
        "owner_id": "o",
        "author_id": "o",
        "index": 0,
        "play": 1,
        "input": {"text": "Hi"},
        "input_sha256": "",
        "status": "completed",
        "error": None,
        "created_at": THEN,
        "ended_at": THEN,
    }
    return TurnRow(**{**usual, **given})


def a_reply(**given: Any) -> ReplyRow:
    """Return a completed reply of that turn."""
    usual = {
        "id": "r",
        "turn_id": "t",
        "parent_reply_id": None,
        "path": "",
        "round": 0,
        "seat": "left",
        "purpose": "reply",
        "order": 0,
        "model_id": "ada",
        "attempt": 1,
        "status": "completed",
        "text": "Hello.",
        "released": None,
        "reasoning": "",
        "text_sha256": None,
        "messages_sha256": "",
        "finish_reason": "stop",
        "metrics": None,
        "error": None,
        "timeline": None,
    }
    return ReplyRow(**{**usual, **given})
