"""The download of an anonymised export."""

from typing import Annotated, Literal

from fastapi import Query, Response
from starlette.responses import StreamingResponse

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.exports.layout import ExportPlan
from parley.features.exports.service import Exports
from parley.kernel.caller import Scope

routes = Routes("/api/exports", tag="exports", needs=Scope.MANAGE)

_TYPES = {"jsonl": "application/x-ndjson", "parquet": "application/zip"}
_ENDINGS = {"jsonl": "jsonl", "parquet": "zip"}


@routes.get("/anonymised", downloads=tuple(_TYPES.values()), audited=True, takes_minutes=True)
async def export_anonymised(
    app: App,
    caller: CallerDep,
    *,
    format: Annotated[  # noqa: A002 - the parameter's name
        Literal["jsonl", "parquet"], Query(description="JSON Lines, or a ZIP of Parquet files.")
    ] = "jsonl",
    content: Annotated[
        Literal["everything", "votes"],
        Query(description="`votes`: votes only, without any text."),
    ] = "everything",
) -> Response:
    """Export everybody's sessions and votes with pseudonyms, days and cleaned texts. The file says what that means."""
    plan = ExportPlan(kind=format, anonymised=True, votes_only=content == "votes")
    headers = {
        "Content-Disposition": f'attachment; filename="parley-anonymised.{_ENDINGS[format]}"',
        "Cache-Control": "no-store",
    }
    return StreamingResponse(app[Exports].write(caller, plan), headers=headers, media_type=_TYPES[format])
