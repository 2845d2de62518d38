"""Uploads of published results, which a leaderboard may start from."""

from typing import Annotated

from fastapi import Query, Request
from pydantic import Field

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.uploads import receive_file
from parley.features.standings.prior_schemas import PriorSettings, PublicPriorState, mapped_models
from parley.features.standings.runtime import StandingsRuntime
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.routes import UPLOADS, FileQuery, format_of_body
from parley.features.vote_files.uploads import Uploads, cannot_write
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import TooLarge
from parley.kernel.parts import Parts
from parley.settings import Settings

MAX_UPLOAD_BYTES = 1 << 30
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 30} GiB.",
    "Nothing was changed. Use counts per pair: model_a, model_b, wins_a, wins_b, ties.",
)


class PriorQuery(FileQuery):
    """The weight of the results in votes, their name on the leaderboard, and the models that their names mean.

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


async def set_prior(request: Request, app: Parts, caller: Caller, query: PriorQuery) -> PublicPriorState:
    """Save the upload, start the leaderboard from it, and delete it. Raises Invalid."""
    kind, path = format_of_body(request, query), app[Uploads].new()
    wanted = PriorSettings(weight=query.weight, source=query.source, models=mapped_models(query.map))
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
        return await app[StandingsRuntime].prior.set(
            caller, path, kind, query.name, wanted, FileLimits.of(app[Settings])
        )
    except OSError as error:
        raise cannot_write(error) from None
    finally:
        path.unlink(missing_ok=True)


routes = Routes("/api", tag="leaderboard", needs=Scope.MANAGE)


@routes.get("/leaderboard/prior", needs=Scope.READ)
async def read_prior(app: App) -> PublicPriorState:
    """Read the published results that the leaderboard starts from, and whether they help."""
    return await app[StandingsRuntime].prior.read()


@routes.put("/leaderboard/prior", uploads=UPLOADS, errors=("bad_published_results", "no_published_results"))
async def put_prior(
    request: Request, query: Annotated[PriorQuery, Query()], app: App, caller: CallerDep
) -> PublicPriorState:
    """Start the leaderboard from a file of published results, in place of an earlier one. The body is the file."""
    return await set_prior(request, app, caller, query)


@routes.delete("/leaderboard/prior", errors=("no_public_prior",))
async def remove_prior(app: App, caller: CallerDep) -> PublicPriorState:
    """Remove the published results. The leaderboard is made from your own votes alone."""
    return await app[StandingsRuntime].prior.remove(caller)
