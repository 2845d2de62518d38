"""A full database: many sessions with a turn each, and battles that wait for their vote."""

import asyncio
import hashlib
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert

from parley.application import built_in_tables
from parley.engine.clock import WallClock
from parley.features.accounts.service import OWNER_ID, AccountsService
from parley.kernel.ids import random_id
from parley.modes.battle import Battle
from parley.storage import schema
from parley.storage.database import Database, Transaction
from parley.storage.search_index import END
from parley.storage.tables.conversations import MatchRow, ReplyRow, SeatRow, SessionRow, TurnRow
from parley.storage.tables.rows import Row
from parley.storage.tables.search import SearchReplyRow, SearchTextRow
from parley.text.folding import folded

BATCH = 5000
RARE = 10
"""Prompts that hold the rare word."""

RARE_WORD = "quokka"
RARE_ANSWER = "axolotl"
"""A word that as many answers hold."""

WORDS = 130
"""The words of an answer, some 800 characters."""

VOCABULARY = 20_000
SYLLABLES = tuple(
    onset + vowel + coda
    for onset in ("", *"bcdfghklmnprstvw", "br", "st", "th", "pl")
    for vowel in "aeiou"
    for coda in ("", *"dklmnrst")
)
TOPICS = ("rivers", "bridges", "sorting", "poems", "taxes", "planets", "recipes", "chess", "bees", "maps")
METRICS = {
    "ttft_ms": 80,
    "duration_ms": 4000,
    "input_tokens": 20,
    "output_tokens": 200,
    "reasoning_tokens": 0,
    "tokens_per_second": 50.0,
    "cost_micros": None,
    "estimated": False,
}
Rows = dict[type[Row], dict[str, Any]]


def seed(folder: Path, *, sessions: int, battles: int, models: tuple[str, str]) -> list[str]:
    """Fill the data folder of a Parley that does not run; return the battles' ids."""
    folder.mkdir(parents=True, exist_ok=True)
    return asyncio.run(_seed(f"sqlite:///{folder / 'parley.db'}", sessions, battles, models))


async def _seed(url: str, sessions: int, battles: int, models: tuple[str, str]) -> list[str]:
    database = Database(url)
    try:
        await schema.migrate(database, built_in_tables())
        await AccountsService(database, WallClock()).open()
        every = max(1, sessions // RARE)
        write = Writer()
        made = [_chat(write, number, rare=number % every == every // 2) for number in range(sessions)]
        fought = [_battle(number, models) for number in range(battles)]
        for start in range(0, len(made), BATCH):
            await _store(database, made[start : start + BATCH])
        await _store(database, fought)
    finally:
        await database.close()
    return [rows[0][MatchRow]["id"] for rows in fought]


async def _store(database: Database, made: list[list[Rows]]) -> None:
    def store(transaction: Transaction) -> None:
        for table in (SessionRow, MatchRow, SeatRow, TurnRow, SearchTextRow, ReplyRow, SearchReplyRow):
            rows = [row for several in made for one in several for kind, row in one.items() if kind is table]
            if rows:
                transaction.execute(insert(table.table), rows)

    await database.write(store)


class Writer:
    """Writes answers whose words are as unequally common as those of a language."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self._words = [
            "".join(self._random.choices(SYLLABLES, k=self._random.randint(1, 4))) for _ in range(VOCABULARY)
        ]
        self._weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def answer(self) -> str:
        """Return an answer."""
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=WORDS))

    def phrase(self, *ranks: int) -> str:
        """Return the words of these ranks."""
        return " ".join(self._words[rank] for rank in ranks)


def _chat(write: Writer, number: int, *, rare: bool) -> list[Rows]:
    topic = TOPICS[number % len(TOPICS)]
    prompt = f"Question {number}: what should one know about {topic}, in simple words and with an example?"
    talk = _conversation(number, prompt + (f" And about the {RARE_WORD}?" if rare else ""), "chat")
    text = write.answer() + (f" {RARE_ANSWER}" if rare else "")
    reply = _reply(talk[TurnRow]["id"], 0, "assistant", "t200r50-0", text)
    found = {
        "session_id": talk[SessionRow]["id"],
        "owner_id": OWNER_ID,
        "turn_id": talk[TurnRow]["id"],
        "reply_id": reply["id"],
        "text": folded(text) + END,
    }
    talk[TurnRow]["searchable"] = True
    return [talk, {ReplyRow: reply, SearchReplyRow: found}]


def _battle(number: int, models: tuple[str, str]) -> list[Rows]:
    first = _conversation(number, f"Battle {number}: which answer is better?", "battle")
    return [first, *_sides(first[MatchRow]["id"], first[TurnRow]["id"], models)]


def _conversation(number: int, prompt: str, mode: str) -> Rows:
    when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
    session, match, blind = random_id(), random_id(), mode == "battle"
    return {
        SessionRow: {
            "id": session,
            "owner_id": OWNER_ID,
            "space_id": OWNER_ID,
            "title": prompt[:80],
            "mode": mode,
            "archived": False,
            "created_at": when,
            "updated_at": when,
            "deleted_at": None,
        },
        MatchRow: {
            "id": match,
            "session_id": session,
            "owner_id": OWNER_ID,
            "index": 0,
            "mode": mode,
            "brief": {},
            "brief_version": 1,
            "blind": blind,
            "paced": blind,
            "ballot": msgspec.to_builtins(Battle.ballot) if blind else None,
            "status": "open",
            "void": None,
            "propensity": 1.0 if blind else None,
            "created_at": when,
        },
        TurnRow: {
            "id": random_id(),
            "match_id": match,
            "session_id": session,
            "owner_id": OWNER_ID,
            "author_id": OWNER_ID,
            "index": 0,
            "input": {"type": "prompt", "text": prompt},
            "input_sha256": hashlib.sha256(prompt.encode()).hexdigest(),
            "status": "completed",
            "play": 1,
            "error": None,
            "created_at": when,
            "searchable": False,
        },
        SearchTextRow: {
            "session_id": session,
            "owner_id": OWNER_ID,
            "is_title": False,
            "text": folded(prompt),
        },
    }


def _sides(match: str, turn: str, models: tuple[str, str]) -> Iterator[Rows]:
    text = "It depends on what you need. " * 30
    for index, (name, model) in enumerate(zip(("left", "right"), models, strict=True)):
        reply = _reply(turn, index, name, model, text)
        seat = {
            "id": random_id(),
            "match_id": match,
            "index": index,
            "name": name,
            "role": name,
            "from_turn": 0,
        }
        yield {SeatRow: {**seat, "model_id": model}, ReplyRow: reply}


def _reply(turn: str, order: int, seat: str, model: str, text: str) -> dict[str, Any]:
    return {
        "id": random_id(),
        "turn_id": turn,
        "parent_reply_id": None,
        "path": "",
        "round": 0,
        "seat": seat,
        "purpose": "answer",
        "order": order,
        "model_id": model,
        "attempt": 1,
        "status": "completed",
        "text": text,
        "released": None,
        "reasoning": "",
        "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "messages_sha256": "0" * 64,
        "finish_reason": "stop",
        "metrics": METRICS,
        "error": None,
        "timeline": None,
    }
