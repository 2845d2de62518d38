"""The OpenAPI document of the API; `python -m parley.api.openapi PATH` writes it to a file."""

import sys
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from parley import __version__
from parley.api.answers import TurnOutcome
from parley.api.errors import CODES, MEDIA_TYPE, ProblemDetails
from parley.api.parameters import PARAMETERS
from parley.api.shapes import (
    About,
    ModeList,
    ModelList,
    OfferedBy,
    ProviderCheckList,
    ProviderList,
    SessionPage,
    VoteAnswer,
)
from parley.kernel import events, inbox, inputs, views
from parley.workspace.arena.quotes import Quote
from parley.workspace.catalog import requests as catalog
from parley.workspace.data import schemas as data
from parley.workspace.discovery import service as discovery
from parley.workspace.presets import schemas as presets
from parley.workspace.session_files import schemas as session_files
from parley.workspace.sessions import schemas as sessions
from parley.workspace.standings import health_schemas as health
from parley.workspace.standings import prior_schemas
from parley.workspace.standings import schemas as standings
from parley.workspace.templates import schemas as templates
from parley.workspace.vote_files import schemas as vote_files
from parley.workspace.vote_history import schemas as votes

_TYPES: tuple[type[Any], ...] = (
    About,
    ModeList,
    ModelList,
    OfferedBy,
    ProblemDetails,
    ProviderCheckList,
    ProviderList,
    Quote,
    SessionPage,
    TurnOutcome,
    VoteAnswer,
    catalog.ProviderView,
    catalog.Dependent,
    catalog.Retired,
    catalog.Rotated,
    data.DataSummary,
    data.Erased,
    discovery.Discoveries,
    events.TurnSnapshot,
    inbox.Interjection,
    inputs.Attached,
    presets.PresetList,
    presets.PresetView,
    session_files.ImportedSessions,
    sessions.ChangedSessions,
    sessions.TagList,
    templates.TemplateList,
    templates.TemplateView,
    health.VoteHealth,
    health.VoterPage,
    health.FlaggedVoters,
    prior_schemas.PublicPriorState,
    standings.HeadToHead,
    standings.History,
    standings.Leaderboard,
    standings.Matrix,
    standings.ModelStatsView,
    standings.Preferences,
    standings.Rebuilt,
    views.Attempts,
    views.InnerReplies,
    views.ModelCard,
    views.SessionCard,
    views.SessionView,
    views.VoteView,
    vote_files.ImportReport,
    votes.PreferredModels,
    votes.Replay,
    votes.VoteCard,
    votes.VotePage,
    votes.CategoryReasons,
)


def build(app: FastAPI) -> dict[str, Any]:
    """Return the document of an app's routes, with events and views as their types."""
    document = get_openapi(
        title="Parley",
        version=__version__,
        summary="Chat with language models, compare them, run blind battles, and vote on the answers.",
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    unions = {
        "TurnEvent": events.TurnEvent,
        "SessionEvent": events.SessionEvent,
        "StandingsEvent": standings.StandingsChanged,
        "ImportEvent": vote_files.ImportEvent,
    }
    named, components = msgspec.json.schema_components(
        [*_TYPES, *unions.values()], schema_hook=_any_json, ref_template="#/components/schemas/{name}"
    )
    schemas.update(components)
    schemas.update(dict(zip(unions, named[len(_TYPES) :], strict=True)))
    for schema in components.values():
        _require_all(schema)
    schemas["ProblemDetails"]["properties"]["code"]["enum"] = sorted(CODES)
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}}
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            for parameter in operation.get("parameters", ()):
                if parameter["in"] != "path":
                    parameter["description"] = PARAMETERS[parameter["name"]]
            operation["responses"]["default"] = {"description": "A problem (RFC 9457)", **problem}
    return document


def _any_json(kind: type) -> dict[str, Any]:
    """Describe `object` as any JSON."""
    if kind is object:
        return {"description": "Any JSON."}
    raise NotImplementedError(f"no schema for {kind}")


def _require_all(schema: dict[str, Any]) -> None:
    """Mark the fields without a default as required: views always send them, the tag too."""
    if properties := schema.get("properties"):
        schema["required"] = [name for name, rule in properties.items() if "default" not in rule]


def main() -> None:
    """Write the document to the path given."""
    from parley.api.app import describe_app

    text = msgspec.json.format(msgspec.json.encode(build(describe_app()), order="sorted"), indent=2)
    Path(sys.argv[1]).write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
