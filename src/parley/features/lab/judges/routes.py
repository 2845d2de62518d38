"""Routes of judges' passports."""

from typing import Annotated

from fastapi import Path

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.judges.schemas import JudgeList, JudgePassport, SavePassport
from parley.features.lab.judges.service import Judges
from parley.kernel.caller import Scope

routes = Routes("/api/lab/judges", tag="lab", needs=Scope.TALK)

_SHARE = {"value": 0.8, "low": 0.7, "high": 0.9}
_LEAN = {"value": 0.02, "low": -0.05, "high": 0.09}


@routes.get()
async def list_judges(app: App, caller: CallerDep) -> JudgeList:
    """List the passports of judges: their agreement with people's votes, and their position bias."""
    return JudgeList(await app[Judges].list(caller))


@routes.put(
    "/{model_id}",
    example={"votes": 60, "agreement": _SHARE, "comparisons": 60, "flipped": _SHARE, "lean": _LEAN},
)
async def save_passport(
    model_id: Annotated[str, Path(max_length=64, description="The model that judges.")],
    body: SavePassport,
    app: App,
    caller: CallerDep,
) -> JudgePassport:
    """Save a judge's passport in place of an earlier one, as `parley judge` does. Your data alone has it."""
    return await app[Judges].save(caller, model_id, body)
