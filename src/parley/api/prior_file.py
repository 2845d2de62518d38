"""Uploads of published results, which a leaderboard may start from."""

from typing import Annotated

from fastapi import Request
from pydantic import Field

from parley.api.uploads import receive_file
from parley.api.vote_files import FileQuery, format_asked
from parley.kernel.caller import Caller
from parley.kernel.errors import TooLarge
from parley.wiring import Application
from parley.workspace.standings.prior_schemas import PriorSettings, PublicPriorState, mapped_models
from parley.workspace.vote_files.imports import cannot_write

MAX_UPLOAD_BYTES = 1 << 30
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 30} GiB.",
    "Nothing was changed. Use counts per pair: model_a, model_b, wins_a, wins_b, ties.",
)


class PriorQuery(FileQuery):
    """How many votes the results count as, what the leaderboard calls them, and which models their names mean.

    The format is `format`, else that of `name`'s ending, else that of its type. Each `map` is NAME=MODEL.
    """

    weight: Annotated[
        float,
        Field(
            gt=0,
            le=1e12,
            allow_inf_nan=False,
            description="The number of votes that published results count as, in all; at most as many as the file has.",
        ),
    ]
    source: Annotated[
        str,
        Field(
            max_length=200,
            description="Where published results come from, as the leaderboard names it. By default the file's name.",
        ),
    ] = ""
    map: Annotated[
        list[str],
        Field(
            max_length=1000,
            default_factory=list,
            description="NAME=MODEL: the id or the name of the model that a name in the file means. It may "
            "be repeated.",
        ),
    ]


async def set_prior(
    request: Request, app: Application, caller: Caller, asked: PriorQuery
) -> PublicPriorState:
    """Save the upload, start the leaderboard from it, and delete it. Raises Invalid."""
    kind, path = format_asked(request, asked), app.imports.new_upload()
    wanted = PriorSettings(weight=asked.weight, source=asked.source, models=mapped_models(asked.map))
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
        return await app.standings.prior.set(caller, path, kind, asked.name, wanted, app.settings.file_limits)
    except OSError as error:
        raise cannot_write(error) from None
    finally:
        path.unlink(missing_ok=True)
