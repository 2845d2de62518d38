"""Files of sessions: exports, and imports from Parley, ChatGPT, Open WebUI and OpenAI's format."""

from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature
from parley.features.session_files.routes import routes
from parley.features.session_files.service import SessionFiles
from parley.features.sessions.service import SessionsService
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.storage.database import Database


def _build(parts: Parts) -> tuple[SessionFiles]:
    service = SessionFiles(
        database=parts[Database].patient(),
        sessions=parts[SessionsService],
        memory=parts[ModelMemory],
        modes=parts[Registry].modes,
        clock=parts[WallClock],
    )
    return (service,)


FEATURE = Feature(
    name="session_files", needs=("sessions", "catalog", "vote_files"), build=_build, routes=(routes,)
)
