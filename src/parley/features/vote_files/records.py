"""What the database stores of votes from files: columns, and packed entries of the audit log, column by column."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import astuple

from parley.features.vote_files.staging import ID, StagedVote, Styles
from parley.storage.audit_imports import VOTES_TOGETHER, PackedVotes, pack_votes
from parley.storage.audit_log import VOTE_ENTRY, Side, Sides, VoteEntry, seconds_text, time_text
from parley.storage.documents import encode_document

_encode = msgspec.json.Encoder().encode


class VoteRecords(NamedTuple):
    """Columns in the order of `vote_stages.COLUMNS`, and the packed entries of all votes."""

    columns: list[Sequence[Any]]
    packed: list[PackedVotes]


def vote_records(votes: Sequence[StagedVote], now: datetime) -> VoteRecords:
    """Return the columns and entries of votes, of which there is at least one; those without a time get `now`."""
    # A function for each vote would take three times as long.
    fields = zip(*map(astuple, votes), strict=True)
    ids, sources, voters, owners, kinds, choices, comments, lefts, rights, propensities, *more = fields
    counted, reasons, excluded, seconds, categories, by, prompts, styles, read_ms = more
    undated = time_text(now)
    moments = [undated if it is None else seconds_text(it) for it in seconds]
    tags = [_categories(tuple(it)) for it in categories]
    rated = [kind == "blind" for kind in kinds]
    columns: list[Sequence[Any]] = [
        *(list(map(bytes.fromhex, ids)), kinds, rated, owners, list(map(bytes.fromhex, voters)), choices),
        *(comments, lefts, rights, propensities, counted, reasons, list(map(_answer, sources))),
        *(list(map(_time, moments)), excluded, tags, by, prompts, list(map(_style, styles)), read_ms),
    ]
    seats, nothing = map(_seats, lefts, rights), repeat(None)
    entries = list(
        map(
            VoteEntry,
            *(map(Raw, tags), by, choices, counted, moments, repeat(VOTE_ENTRY), kinds, lefts, nothing),
            *(reasons, repeat("import"), prompts, propensities, rated, read_ms, rights, seats),
            *(map(_sides, styles), nothing, ids, voters),
        )
    )
    packed = [pack_votes(entries[at : at + VOTES_TOGETHER]) for at in range(0, len(entries), VOTES_TOGETHER)]
    return VoteRecords(columns, packed)


def _answer(source: str | None) -> bytes | str:
    """Return the answer to the voter as SQLite stores it (`narrow.Answer`)."""
    if not source:
        return "{}"
    return bytes.fromhex(source) if ID.fullmatch(source) else f'{{"question_id":{encode_document(source)}}}'


def _time(moment: str) -> str:
    return f"{moment[:10]} {moment[11:26]}"


def _style(style: Styles | None) -> str | None:
    return None if style is None else _encode(style).decode()


def _sides(style: Styles | None) -> Sides | None:
    if style is None:
        return None
    tokens, headers, lists, bold, right_tokens, right_headers, right_lists, right_bold = style
    return Sides(
        Side(bold, headers, lists, tokens), Side(right_bold, right_headers, right_lists, right_tokens)
    )


@lru_cache(4096)
def _seats(left: str, right: str) -> Raw:
    return Raw(encode_document({"left": left, "right": right}))


@lru_cache(4096)
def _categories(categories: tuple[str, ...]) -> str:
    return encode_document(categories)
