"""Anonymising records: people become pseudonyms of this export alone, times become days, texts are cleaned."""

import hashlib
import secrets
from collections.abc import Callable, Mapping

from parley.features.exports.cleaning import Cleaner
from parley.features.exports.layout import TEXTS, Record, Value

IDS = {
    "session_id": "session",
    "match_id": "match",
    "turn_id": "turn",
    "reply_id": "reply",
    "person": "person",
}
DAY = len("2026-11-28")

GUARANTEES = (
    (
        "People, sessions, matches, turns and votes have pseudonyms of this file alone: a keyed hash, whose key was "
        "never "
        "stored. The same person has the same pseudonym everywhere in it, and another one in every other export."
    ),
    "Times are days. The order of the records is random.",
    (
        "Removed from texts, by patterns: e-mail addresses, telephone and other long numbers, keys and tokens, queries "
        "and tokens of URLs, IP addresses, @handles. Removed by list: the names of accounts and workspaces."
    ),
    (
        "Not in the file: pictures and files, reasoning, results of tools, system prompts, tags, times of reading, "
        "costs, hashes of prompts, blind matches without a vote, and everything that was deleted."
    ),
    (
        "Not guaranteed: names of people without an account, nicknames, places and events in texts stay, as does "
        "the way in which somebody writes. Whoever knows what a person wrote can find them. Read the texts before you "
        "publish them, or export votes only."
    ),
)


class Anonymiser:
    """Changes records. Its key exists as long as it does."""

    def __init__(
        self, cleaner: Cleaner, voters: Mapping[str, str], known_model: Callable[[str], bool]
    ) -> None:
        """`voters`: people's ids by the pseudonyms of their votes. `known_model`: its id names no person."""
        self._key = secrets.token_bytes(32)
        self._cleaner = cleaner
        self._voters = voters
        self._known_model = known_model

    def change(self, noun: str, record: Record) -> Record:
        """Return a record as others may have it."""
        return {name: self._value(noun, name, value) for name, value in record.items()}

    def _value(self, noun: str, name: str, value: Value) -> Value:
        if not isinstance(value, str):
            return value
        if name == "id":
            return self._pseudonym(noun, value)
        if name in IDS:
            return self._pseudonym(IDS[name], self._voters.get(value, value) if name == "person" else value)
        if name == "created":
            return value[:DAY]
        if name in TEXTS:
            return self._cleaner.clean(value)
        if name in ("model", "left_model", "right_model") and not self._known_model(value):
            return self._pseudonym("ensemble", value)
        return value

    def _pseudonym(self, noun: str, value: str) -> str:
        digest = hashlib.blake2b(f"{noun}:{value}".encode(), key=self._key, digest_size=8)
        return f"{noun}-{digest.hexdigest()}"
