"""Moderation: rules hold or flag prompts before they are sent, and replies after they have ended, for review."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.accounts.service import AccountsService
from parley.features.feature import Feature, Personal, Retained, every
from parley.features.moderation.judges import Judges
from parley.features.moderation.moderating import Moderating
from parley.features.moderation.routes import routes
from parley.features.moderation.service import LOOK_AGAIN_S, Moderation
from parley.features.moderation.tables import ItemRow, RuleRow
from parley.kernel.bus import Bus
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database


def _is_on(parts: Parts) -> bool:
    settings = parts[Settings]
    return settings.is_shared or settings.moderation == "on"


def _build(parts: Parts) -> Sequence[object]:
    database, clock, is_on = parts[Database], parts[WallClock], _is_on(parts)
    moderating = Moderating(database, clock, Judges(parts[Gateway]), parts[AccountsService].role_of)
    if is_on:
        parts[Gateway].moderator = moderating
    return (Moderation(database, clock, parts[Bus], moderating, is_on=is_on),)


FEATURE = Feature(
    name="moderation",
    needs=("accounts",),
    tables=(RuleRow, ItemRow),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[Moderation].reload(),
    background=(
        lambda parts: parts[Moderation].listen(),
        every(
            LOOK_AGAIN_S, lambda parts: parts[Moderation].reload(), "read the rules of moderation", once=False
        ),
    ),
    personal=(
        Personal(
            noun="moderated",
            count=lambda parts, caller: parts[Moderation].count(caller.person_id),
            export=lambda parts, caller: parts[Moderation].export(caller.person_id),
            erase=lambda parts, caller: parts[Moderation].erase(caller.person_id),
        ),
    ),
    retained=(
        Retained(
            name="moderated",
            nouns="moderated texts",
            about="Prompts and replies in the review queue, reviewed or not, since they were found.",
            count=lambda parts, before: parts[Moderation].count_older(before),
            forget=lambda parts, before: parts[Moderation].forget_older(before),
            exists=_is_on,
        ),
    ),
)
