"""`parley judge`: lets a model judge what people voted on, and says how far it can be trusted."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.cli.judge_passport import Passport
    from parley.cli.judge_run import Plan
    from parley.cli.measuring_record import Record
    from parley.settings import Settings

judge = typer.Typer(no_args_is_help=True, help="Check a model that judges answers against people's votes.")

Model = Annotated[str, typer.Argument(help="The judge: a model, or a contestant's name.", metavar="MODEL")]
Votes = Annotated[
    Path | None,
    typer.Option(help="A file of votes with texts, not those stored here.", show_default=False),
]
Limit = Annotated[
    int | None, typer.Option(min=1, help="At most N comparisons with a vote.", show_default=False)
]
Unvoted = Annotated[
    int | None, typer.Option(min=0, help="At most N comparisons without a vote (all).", show_default=False)
]
Out = Annotated[Path | None, typer.Option(help="Where verdicts are (judge.MODEL.jsonl).", show_default=False)]

ASIDE = re.compile(r"[^A-Za-z0-9._-]+")


@judge.command()
@with_settings()
def run(
    settings: "Settings",
    model: Model,
    votes: Votes = None,
    limit: Limit = None,
    unvoted: Unvoted = None,
    max_cost_usd: Annotated[
        float | None, typer.Option(min=0, help="Start no call beyond this cost.", show_default=False)
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Comparisons judged at a time.")] = 4,
    out: Out = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Judge comparisons in both orders, then report. Run it again to continue. Exits with 1 if some are left."""
    from parley.cli.asking import ask_quietly
    from parley.cli.judge_run import work_of
    from parley.cli.measuring import Budget, carry_out, estimate

    async def prepare(client: "ApiClient") -> Any:
        plan, record = await _plan(client, model, votes, out, limit, unvoted)
        work = work_of(plan, record, at_once=at_once)
        return plan, record, work, *(await estimate(client, work))

    plan, record, work, quote, least = ask_quietly(settings, prepare)
    if quote["calls_most"]:
        count = sum(next(item(), None) is not None for item in work.items)
        texts = f"{count:,} {'question' if count == 1 else 'questions'} with two answers"
        say(f"{plan.names[plan.judge]} is to read {texts}, without names, in both orders.", err=True)
    carry_out(settings, work, quote, Budget(max_cost_usd, least), yes=yes)
    if _show(settings, plan, record, as_json=as_json, save=votes is None):
        raise typer.Exit(1)


@judge.command()
@with_settings()
def report(
    settings: "Settings",
    model: Model,
    votes: Votes = None,
    limit: Limit = None,
    unvoted: Unvoted = None,
    out: Out = None,
    as_json: JsonOption = False,
) -> None:
    """Report what the verdicts so far show, with the votes as they are now. Asks no model."""
    from parley.cli.asking import ask_quietly

    plan, record = ask_quietly(settings, lambda client: _plan(client, model, votes, out, limit, unvoted))
    _show(settings, plan, record, as_json=as_json, save=votes is None)


async def _plan(
    client: "ApiClient",
    model: str,
    votes: Path | None,
    out: Path | None,
    limit: int | None,
    unvoted: int | None,
) -> "tuple[Plan, Record]":
    """Return what is to be judged and what was. Raises NotFound, Invalid."""
    from parley.cli.judge_comparisons import read_comparisons
    from parley.cli.judge_run import make_plan
    from parley.cli.judge_sources import read_server
    from parley.cli.measuring_record import Record
    from parley.cli.model_names import model_ids
    from parley.cli.saved_presets import contestant_or_model
    from parley.kernel.errors import Invalid

    wanted = contestant_or_model((await client.get("/api/presets"))["presets"], model)
    (judging,) = await model_ids(client, [wanted])
    record = Record(out or Path(f"judge.{ASIDE.sub('-', judging)}.jsonl"))
    source = read_comparisons(votes) if votes else await read_server(client, unvoted=unvoted != 0)
    names = {each["id"]: each["name"] for each in (await client.get("/api/models"))["models"]}
    plan = make_plan(judging, source, names, limit=limit, unvoted=unvoted)
    if not plan.voted:
        left_out = "; ".join(f"{count:,} × {reason}" for reason, count in plan.left_out.items())
        advice = (
            f"Left out: {left_out}." if left_out else "Vote on battles or comparisons, or add --votes FILE."
        )
        raise Invalid(
            "votes", "There is no vote with its texts to compare verdicts with.", advice, code="no_votes"
        )
    return plan, record


def _show(settings: "Settings", plan: "Plan", record: "Record", *, as_json: bool, save: bool) -> bool:
    """Print the passport, and save it for the Prompt Lab; return whether comparisons are left."""
    from parley.cli.asking import ask_quietly
    from parley.cli.judge_passport import make_passport, saved_figures
    from parley.cli.judge_report import print_passport

    passport: Passport | None = make_passport(plan, record)
    if passport is not None and save:
        figures = saved_figures(passport)
        ask_quietly(settings, lambda client: client.send("PUT", f"/api/lab/judges/{plan.judge}", figures))
    if as_json:
        say_json(passport)
    elif passport is not None:
        print_passport(passport)
    else:
        say("Nothing that people voted on was judged in both orders yet.", err=True)
    return passport is None or passport.left > 0
