"""An installation as a whole: its backup, and a new one from a backup."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from parley.engine.clock import WallClock
from parley.kernel.errors import Unavailable
from parley.kernel.ids import random_id
from parley.storage import backup
from parley.storage.audit_check import check_audit
from parley.storage.bucket_blobs import ATTACHMENTS, open_blobs
from parley.storage.copying import rename_folder
from parley.storage.database import Database, Transaction
from parley.storage.first_start import open_existing

if TYPE_CHECKING:
    from parley.settings import Settings


def back_up(settings: "Settings", file: Path, report: backup.Report) -> backup.Backup:
    """Write a backup. Raises Unavailable, also where the database is not SQLite or there is none."""
    database = _sqlite_file(settings, "Back it up with pg_dump, and the data folder with your own tools")
    if not database.is_file():
        raise Unavailable(
            f"There is no database at {database}.",
            "Nothing was written. Name the data folder: parley backup FILE --data-dir PATH",
            code="no_database",
        )
    now = datetime.fromtimestamp(WallClock().now(), UTC).isoformat(timespec="seconds")
    blobs = open_blobs(settings.data_dir, settings.files_url)
    return backup.write(settings.data_dir, database, blobs, file, now, report)


async def put_back(settings: "Settings", file: Path, report: backup.Report) -> tuple[backup.Backup, bool]:
    """Restore a backup; return it, and whether its audit log is valid. Raises Unavailable."""
    database = _sqlite_file(settings, "Restore it with pg_restore, and the data folder with your own tools")
    if database != settings.data_dir.absolute() / backup.DATABASE:
        raise Unavailable(
            "PARLEY_DATABASE_URL names a database outside of the data folder.",
            f"Nothing was changed. Restore without it, then move {backup.DATABASE} to where it is to be.",
            code="database_elsewhere",
        )
    done = backup.restore(file, settings.data_dir, report)
    async with open_existing(settings.database_url, settings.data_dir) as restored:
        await restored.write(lambda transaction: _rename_files(transaction, settings.data_dir))
        audit = await check_audit(restored, None, lambda _done, _of: None)
    return done, audit.ok


def _rename_files(transaction: Transaction, data_dir: Path) -> None:
    """Give a restored database a folder of files of its own: it may share a bucket with the one it is a copy of."""
    old = rename_folder(transaction.connection(), new := random_id())
    if old is not None and (data_dir / ATTACHMENTS / old).is_dir():
        (data_dir / ATTACHMENTS / old).rename(data_dir / ATTACHMENTS / new)


def _sqlite_file(settings: "Settings", instead: str) -> Path:
    file = Database(settings.database_url).file
    if file is None:
        raise Unavailable(
            "The database is on PostgreSQL.",
            f"{instead}: see the guide “Run Parley on PostgreSQL”.",
            code="not_sqlite",
        )
    return file.absolute()
