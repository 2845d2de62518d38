"""Rows of the library as they are made and as they are shown."""

from collections.abc import Callable
from datetime import datetime

import msgspec

from parley.features.library.code_blocks import code_blocks
from parley.features.library.collecting import WORDS, asset_of
from parley.features.library.collecting_repository import EndedTurn
from parley.features.library.repository import Origin
from parley.features.library.schemas import AssetCard, AssetMade, AssetSource
from parley.features.library.trials import MadeText, TrialSource
from parley.kernel.caller import Caller
from parley.kernel.ids import ordered_id
from parley.kernel.messages import Attached, ReplyPart, sha256_text
from parley.kernel.pictures import PictureSettings, as_drawn
from parley.kernel.seats import SeatSettings
from parley.kernel.views import Metrics, ModelCard
from parley.storage.tables.assets import AssetRow
from parley.storage.tables.conversations import MatchRow, ReplyRow, TurnRow
from parley.storage.tables.votes import VoteRow
from parley.text.folding import folded
from parley.text.titles import title_of


def row_of_reply(reply: ReplyRow, turn: TurnRow, match: MatchRow, now: datetime) -> AssetRow:
    """Return the row of a whole reply that a person keeps."""
    row = asset_of(EndedTurn(turn, match, (), ()), reply, "text", None)
    prompt = str(turn.input.get("text", ""))
    row.origin, row.created_at, row.media_type = "kept", now, "text/markdown"
    row.title = title_of(prompt) or title_of(reply.text) or "Reply"
    row.words = folded(f"{row.title} {prompt[:WORDS]}")
    row.size, row.sha256 = len(reply.text.encode("utf-8", "replace")), sha256_text(reply.text)
    return row


def trial_rows(made: MadeText) -> list[AssetRow]:
    """Return the rows of the named code blocks in a trial's answer."""
    return [_text_row(made, each.kind, each.name, each.text, each.number) for each in code_blocks(made.text)]


def kept_trial_row(made: MadeText) -> AssetRow:
    """Return the row of a trial's whole answer that a person keeps."""
    title = title_of(made.prompt) or title_of(made.text) or "Answer"
    row = _text_row(made, "text", title, made.text, None)
    row.media_type = "text/markdown"
    return row


def _text_row(made: MadeText, kind: str, title: str, text: str, part: int | None) -> AssetRow:
    return AssetRow(
        id=ordered_id(),
        owner_id=made.owner_id,
        space_id=made.owner_id,
        origin="trial",
        kind=kind,
        title=title,
        words=folded(f"{title} {made.prompt[:WORDS]}"),
        media_type="text/plain",
        size=len(text.encode("utf-8", "replace")),
        sha256=sha256_text(text),
        created_at=made.made_at,
        source_id=made.key,
        part=part,
        model_id=made.model_id,
    )


def file_row(
    caller: Caller, attached: Attached, origin: str, now: datetime, session_id: str | None = None
) -> AssetRow:
    """Return the row of an upload, or of an export of a session."""
    picture = attached.media_type.startswith("image/")
    return AssetRow(
        id=ordered_id(),
        owner_id=caller.person_id,
        space_id=caller.space_id,
        origin=origin,
        kind="export" if origin == "export" else "picture" if picture else "file",
        title=attached.name,
        words=folded(attached.name),
        media_type=attached.media_type,
        size=attached.size,
        sha256=attached.sha256,
        created_at=now,
        width=attached.width,
        height=attached.height,
        source_id=session_id,
    )


def made_row(caller: Caller, attached: Attached, made: AssetMade, now: datetime) -> AssetRow:
    """Return the row of something that a program had made."""
    row = file_row(caller, attached, "program", now)
    row.title = title_of(made.prompt) or attached.name
    row.words = folded(f"{row.title} {made.prompt[:WORDS]}")
    row.model_id, row.made = made.model_id, msgspec.to_builtins(made)
    return row


def card_of(row: AssetRow, excerpt: str | None, *, preferred: bool) -> AssetCard:
    """Return a row as it is listed."""
    fields = {name: getattr(row, name) for name in AssetCard.__struct_fields__ if hasattr(row, name)}
    fields |= {"created_at": row.created_at.isoformat(), "excerpt": excerpt, "preferred": preferred}
    return msgspec.convert(fields, AssetCard)


def source_of(origin: Origin, part: int | None, card: Callable[[str], ModelCard]) -> AssetSource:
    """Return where something was made, as it is there now."""
    reply, seat = origin.reply, origin.seat
    settings = msgspec.convert(seat.settings, SeatSettings) if seat and seat.settings else None
    metrics = msgspec.convert(reply.metrics, Metrics) if reply.metrics else None
    return AssetSource(
        session_id=origin.session.id,
        session_title=origin.session.title,
        mode=origin.match.mode,
        turn_id=origin.turn.id,
        turn=origin.turn.index + 1,
        reply_id=reply.id,
        prompt=str(origin.turn.input.get("text", "")),
        model=card(reply.model_id),
        settings=_settings_of(settings.picture if settings else None, reply, part),
        cost_micros=metrics.cost_micros if metrics else None,
        duration_ms=metrics.duration_ms if metrics else None,
        vote=_vote(origin, reply.seat),
    )


def _settings_of(
    settings: PictureSettings | None, reply: ReplyRow, part: int | None
) -> PictureSettings | None:
    """Return the settings of a seat, with the seed from which the picture was drawn if none was set."""
    parts = msgspec.convert(reply.parts or [], list[ReplyPart])
    return as_drawn(settings, parts[part].seed if part is not None and part < len(parts) else None)


def program_source(made: AssetMade, card: Callable[[str], ModelCard]) -> AssetSource:
    """Return how a program had something made."""
    return AssetSource(
        prompt=made.prompt,
        model=card(made.model_id),
        settings=made.settings,
        cost_micros=made.cost_micros,
        duration_ms=made.duration_ms,
    )


def trial_source(trial: TrialSource, card: Callable[[str], ModelCard]) -> AssetSource:
    """Return how a trial made something."""
    return AssetSource(
        cell=trial.cell,
        prompt=trial.prompt,
        model=card(trial.model_id),
        cost_micros=trial.cost_micros,
        duration_ms=trial.duration_ms,
    )


def _vote(origin: Origin, seat: str) -> str | None:
    """Return what the person's vote says of a seat: won, lost, tie or both_bad."""
    vote = next((each for each in reversed(origin.votes) if _counts(each, origin.turn.id)), None)
    if vote is None:
        return None
    if vote.choice in ("tie", "both_bad"):
        return vote.choice
    return "won" if vote.choice == seat else "lost"


def _counts(vote: VoteRow, turn_id: str) -> bool:
    return vote.excluded_reason is None and vote.turn_id in (None, turn_id)
