"""Attachments: pictures and files of questions and replies."""

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.attachments.limits import AttachmentLimits
from parley.features.attachments.routes import files, routes
from parley.features.attachments.service import AttachmentsService
from parley.features.feature import Feature, Personal, every
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.blobs import BlobStore
from parley.storage.database import Database
from parley.storage.tables.attachments import AttachmentRow, BlobFolderRow, TurnAttachmentRow, UnusedBlobRow

SWEEP_EVERY_S = 600.0
SETTLE_EVERY_S = 60.0


def _build(parts: Parts) -> tuple[AttachmentsService]:
    settings = parts[Settings]
    service = AttachmentsService(
        database=parts[Database],
        blobs=parts[BlobStore],
        folder=settings.data_dir / "attachments" / "incoming",
        limits=AttachmentLimits(size=settings.attachment_max_mb << 20),
        clock=parts[WallClock],
    )
    parts[Gateway].blobs = service
    return (service,)


FEATURE = Feature(
    name="attachments",
    tables=(AttachmentRow, BlobFolderRow, TurnAttachmentRow, UnusedBlobRow),
    build=_build,
    routes=(routes, files),
    start=lambda parts: parts[AttachmentsService].open(),
    background=(
        every(
            SWEEP_EVERY_S,
            lambda parts: parts[AttachmentsService].sweep(),
            "delete unused attachments",
            at_start=False,
        ),
        every(
            SETTLE_EVERY_S,
            lambda parts: parts[AttachmentsService].settle(),
            "bring files to PARLEY_FILES_URL",
            once=False,
        ),
    ),
    personal=(
        Personal(
            noun="attachment",
            count=lambda parts, caller: parts[AttachmentsService].count(caller),
            erase=lambda parts, caller: parts[AttachmentsService].erase(caller),
        ),
    ),
)
