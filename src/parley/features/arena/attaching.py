"""Attaching: a question's uploaded pictures and files, and which models can read them."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parley.features.arena.repository import ArenaRepository
from parley.features.arena.schemas import AttachmentReference
from parley.features.attachments.names import plain_name
from parley.features.attachments.service import attached
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.inputs import TurnInput, attached_to
from parley.kernel.messages import Attached, ImagePart, attachments_of
from parley.kernel.mode import Mode
from parley.kernel.models import Capability
from parley.kernel.ports import Catalog, TurnScript
from parley.storage.tables.conversations import MatchRow, TurnRow

SIGHT: tuple[Capability, ...] = ("vision",)


def find_attached(
    repository: ArenaRepository,
    owner_id: str,
    mode: Mode[Any] | None,
    references: Sequence[AttachmentReference],
) -> tuple[Attached, ...]:
    """Return a question's attachments as they are stored, without duplicates. Raises Invalid."""
    if references and (mode is None or not mode.takes_files):
        title = mode.title if mode else "This mode"
        raise Invalid(
            "attachments",
            f"{title} does not accept pictures or files.",
            "Use chat, compare or battle for them.",
        )
    wanted = {each.sha256: each for each in references}
    rows = {row.sha256: row for row in repository.attachments(owner_id, list(wanted))} if wanted else {}
    for place, each in enumerate(references):
        if each.sha256 not in rows:
            raise Invalid(
                f"attachments.{place}",
                f"“{plain_name(each.name or 'A file')}” is no longer available.",
                "Nothing was asked. Attach it again.",
                code="attachment_missing",
            )
    return tuple(
        attached(rows[sha256], plain_name(each.name or rows[sha256].name)) for sha256, each in wanted.items()
    )


def needed_for(attachments: Sequence[Attached]) -> tuple[Capability, ...]:
    """Return the capabilities that a match starting with these attachments needs."""
    return SIGHT if has_picture(attachments) else ()


def has_picture(attachments: Sequence[Attached]) -> bool:
    """Return whether a question's attachments include a picture."""
    return any(isinstance(each.part, ImagePart) for each in attachments)


def check_sight(script: TurnScript, catalog: Catalog) -> None:
    """Raise Invalid, naming the model, if a seat's conversation has a picture that its model can't read."""
    fresh = has_picture(attached_to(script.input))
    for seat in script.seats:
        history = script.history.get(seat.name, ())
        earlier = attachments_of([message for message in history if message.role == "user"])
        if not fresh and not any(isinstance(part, ImagePart) for part in earlier):
            continue
        try:
            model = catalog.model(seat.model_id)
        except NotFound:
            continue  # refused when it is asked, with its own message
        if "vision" not in model.capabilities:
            raise Invalid(
                "attachments" if fresh else f"seats.{seat.name}",
                f"{model.name} can't read pictures{('' if fresh else ', and this conversation has one')}.",
                "Nothing was sent. Remove the picture, or choose a model that reads pictures."
                if fresh
                else "Nothing was sent. Choose a model that reads pictures, or start a new conversation.",
                code="model_without_vision",
            )


def check_late_picture(match: MatchRow, turns: Sequence[TurnRow], turn_input: TurnInput) -> None:
    """Raise Conflict if a picture is added to a blind match that began without one.

    Whether its models can read pictures would reveal which were drawn, so that is not checked.
    """
    if not match.blind or not has_picture(attached_to(turn_input)) or _began_with_picture(turns[0].input):
        return
    raise Conflict(
        "This battle started without a picture, so its models may not be able to read one.",
        "Nothing was sent. Start a new battle with the picture, or remove it.",
        code="picture_too_late",
    )


def _began_with_picture(turn_input: Mapping[str, object]) -> bool:
    return has_picture(attached_to(msgspec.convert(turn_input, TurnInput)))
