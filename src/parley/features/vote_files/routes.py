"""Downloads of votes, streamed, and the formats of files that are sent."""

from pathlib import Path
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.vote_files.exports import ExportOptions, VoteExports
from parley.features.vote_files.formats import ENDINGS, Format
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Invalid
from parley.kernel.parts import Parts

TYPES: dict[Format, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}
_FORMATS: dict[str, Format] = {**{kind: name for name, kind in TYPES.items()}, "application/jsonl": "jsonl"}
UPLOADS = (*_FORMATS, "application/octet-stream")
DOWNLOADS = tuple(TYPES.values())


class ExportQuery(BaseModel):
    """The votes to export, and the format."""

    model_config = ConfigDict(extra="forbid")

    format: Annotated[
        Format,
        Field(
            description="The file's format. An import detects it from `name` or the Content-Type if it is left out."
        ),
    ] = "jsonl"
    texts: Annotated[bool, Field(description="Include prompts and answers.")] = False
    include_uncounted: Annotated[
        bool,
        Field(description="Include votes that are saved but not counted."),
    ] = True


class FileQuery(BaseModel):
    """The format of the body."""

    model_config = ConfigDict(extra="forbid")

    format: Annotated[
        Format | None,
        Field(
            description="The file's format. An import detects it from `name` or the Content-Type if it is left out."
        ),
    ] = None
    name: Annotated[str, Field(description="The file's name.")] = "the file"


async def export_response(app: Parts, caller: Caller, query: ExportQuery) -> Response:
    """Return the export as a stream.

    `X-Parley-Left-Out` is the number of votes that are left out because they do not have two sides.
    """
    options = ExportOptions(kind=query.format, texts=query.texts, include_uncounted=query.include_uncounted)
    headers = {
        "Content-Disposition": f'attachment; filename="parley-votes.{query.format}"',
        "Cache-Control": "no-store",
        "X-Parley-Left-Out": str((await app[VoteExports].count(options)).left_out),
    }
    return StreamingResponse(
        app[VoteExports].write(caller, options), headers=headers, media_type=TYPES[query.format]
    )


def format_of_body(request: Request, query: FileQuery) -> Format:
    """Return the format of the body. Raises Invalid where nothing tells it."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    file_format = query.format or ENDINGS.get(Path(query.name).suffix.lower()) or _FORMATS.get(kind)
    if file_format is None:
        raise Invalid(
            "format", "format: Parley can't tell it from the file.", "Set it to jsonl, csv or parquet."
        )
    return file_format


routes = Routes("/api", tag="votes", needs=Scope.MANAGE)


@routes.get("/votes/export", downloads=DOWNLOADS)
async def export_votes(query: Annotated[ExportQuery, Query()], app: App, caller: CallerDep) -> Response:
    """Export all votes that were cast here as a file with LMArena's columns."""
    return await export_response(app, caller, query)
