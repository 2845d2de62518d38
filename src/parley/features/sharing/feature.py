"""Sharing: links with which anybody can read a session."""

from parley.features.accounts.links import Links
from parley.features.feature import Feature
from parley.features.session_files.service import SessionFiles
from parley.features.sharing.routes import copies, pages, routes
from parley.features.sharing.service import Sharing

FEATURE = Feature(
    name="sharing",
    needs=("accounts", "session_files"),
    build=lambda parts: (Sharing(parts[Links], parts[SessionFiles]),),
    routes=(routes, copies, pages),
)
