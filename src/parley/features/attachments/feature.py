"""Attachments: pictures and files that come with questions."""

from parley.engine.clock import WallClock
from parley.features.attachments.limits import AttachmentLimits
from parley.features.attachments.routes import routes
from parley.features.attachments.service import AttachmentsService
from parley.features.feature import Feature, Personal, every
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.blobs import FolderBlobs
from parley.storage.database import Database
from parley.storage.tables.attachments import Attachment, TurnAttachment

SWEEP_EVERY_S = 600.0


def _build(parts: Parts) -> tuple[AttachmentsService]:
    settings = parts[Settings]
    service = AttachmentsService(
        database=parts[Database],
        blobs=parts[FolderBlobs],
        folder=settings.data_dir / "attachments" / "incoming",
        limits=AttachmentLimits(size=settings.attachment_max_mb << 20),
        clock=parts[WallClock],
    )
    return (service,)


FEATURE = Feature(
    name="attachments",
    tables=(Attachment, TurnAttachment),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[AttachmentsService].open(),
    background=(
        every(SWEEP_EVERY_S, lambda parts: parts[AttachmentsService].sweep(), "delete unused attachments"),
    ),
    personal=(
        Personal(
            noun="attachment",
            count=lambda parts, caller: parts[AttachmentsService].count(caller),
            erase=lambda parts, caller: parts[AttachmentsService].erase(caller),
        ),
    ),
)
