"""The capabilities of Parley, one folder each, with one value that says all that others need to know of it."""

FEATURES = (
    "about",
    "accounts",
    "arena",
    "attachments",
    "catalog",
    "contestants",
    "data",
    "presets",
    "session_files",
    "sessions",
    "standings",
    "templates",
    "vote_files",
    "vote_history",
    "voting",
)
"""The folders with a `feature.py`. Installed packages add theirs by the hook `parley_features`."""
