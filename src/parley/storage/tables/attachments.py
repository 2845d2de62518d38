"""Tables of attachments: the pictures and files of questions and replies."""

from typing import Annotated

from sqlalchemy import ForeignKeyConstraint, Index, Integer, String

from parley.storage.tables.rows import Digest, Id, Key, Name, Row, Time, column, stored_in


@stored_in("attachments", Index("ix_attachments_kept_until", "kept_until"))
class AttachmentRow(Row):
    """A picture or file that a person uploaded, or that a model made for them, by the SHA-256 of its bytes.

    Only this person can use it.

    `text_sha256`: of the text that models read, null for a picture. `thumbnail_sha256`: of a small picture, null for a
    file. `encoding`: the one in which a text was read, where the file does not say it. `kept_until`: from then on it is
    deleted once no turn has it.
    """

    owner_id: Annotated[Id, column(references="users.id", primary_key=True)]
    sha256: Annotated[Digest, column(primary_key=True)]
    name: Annotated[str, String(200)]
    media_type: Name
    size: int
    tokens: Annotated[int, Integer]
    text_sha256: Digest | None
    thumbnail_sha256: Digest | None
    width: Annotated[int | None, Integer]
    height: Annotated[int | None, Integer]
    pages: Annotated[int | None, Integer]
    encoding: Annotated[str | None, String(20)]
    created_at: Time
    kept_until: Time


@stored_in(
    "turn_attachments",
    ForeignKeyConstraint(["owner_id", "sha256"], ["attachments.owner_id", "attachments.sha256"]),
    Index("ix_turn_attachments_owner_id_sha256", "owner_id", "sha256"),
)
class TurnAttachmentRow(Row):
    """A turn whose question or replies have an attachment, which is kept as long as the turn."""

    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE", primary_key=True)]
    sha256: Annotated[Digest, column(primary_key=True)]
    owner_id: Id


@stored_in("unused_blobs", Index("ix_unused_blobs_since", "since"))
class UnusedBlobRow(Row):
    """A file that this database has stored and that no attachment needs: of a deleted one, or of one being stored.

    Only such files are ever deleted, days after `since`.
    """

    sha256: Annotated[Digest, column(primary_key=True)]
    owner_id: Id
    since: Time


@stored_in("blob_folders")
class BlobFolderRow(Row):
    """The folder for the files of this database; another database on the same data folder has another one."""

    name: Key
