"""Tables: files of a session that models and people ask with SQL."""

from parley.features.feature import Feature
from parley.features.tables.python_tool import PythonTool
from parley.features.tables.routes import routes
from parley.features.tables.service import TablesService
from parley.features.tables.tools import TableTools
from parley.features.tools.service import SessionToolbox
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.blobs import BlobStore
from parley.storage.database import Database


def _build(parts: Parts) -> tuple[TablesService]:
    folder = parts[Settings].data_dir / "attachments" / "tables"
    service = TablesService(parts[Database], parts[BlobStore], folder)
    parts[SessionToolbox].add(TableTools(service))
    parts[SessionToolbox].add(PythonTool(service))
    return (service,)


FEATURE = Feature(
    name="tables",
    needs=("attachments", "sessions", "tools"),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[TablesService].open(),
)
