"""`parley deliberation`: measures whether a combination of models beats its best member on your questions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.cli.deliberation_questions import Question
    from parley.cli.deliberation_run import Plan
    from parley.settings import Settings

deliberation = typer.Typer(no_args_is_help=True, help="Measure whether a combination beats its best member.")


@deliberation.callback()
def group() -> None:
    """Keep `run` a command of its own: Typer would drop the name of the only one."""


@deliberation.command()
@with_settings()
def run(
    settings: "Settings",
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="QUESTIONS", help="JSON Lines with question, and answer, contains or pattern."
        ),
    ],
    model: Annotated[
        str, typer.Option("--model", "-m", help="The combination: a contestant's name, or any model.")
    ],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="A model to compare with (default: each member).", show_default=False),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="The model that judges questions without a check.", show_default=False)
    ] = None,
    max_cost_usd: Annotated[
        float | None, typer.Option(min=0, help="Start no call beyond this cost.", show_default=False)
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N.", show_default=False)] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where results go (QUESTIONS.deliberation.jsonl).", show_default=False),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure a combination against its members. Run it again to continue. Exits with 1 if questions are left."""
    from parley.cli.asking import ask_quietly
    from parley.cli.deliberation_questions import read_questions
    from parley.cli.deliberation_report import make_report, print_report
    from parley.cli.deliberation_run import work_of
    from parley.cli.measuring import Budget, carry_out, estimate
    from parley.cli.measuring_record import Record

    items = read_questions(questions, limit=limit, judged=judge is not None)
    record = Record(out or questions.with_name(f"{questions.stem}.deliberation.jsonl"))

    async def prepare(client: "ApiClient") -> Any:
        plan = await _plan(client, model, against or [], judge, items)
        work = work_of(plan, record)
        return plan, work, *(await estimate(client, work))

    plan, work, quote, least = ask_quietly(settings, prepare)
    carry_out(settings, work, quote, Budget(max_cost_usd, least), yes=yes)
    report = make_report(plan, record)
    if as_json:
        say_json(report)
    elif report:
        print_report(report)
    else:
        say("No question has all its answers yet.", err=True)
    if report is None or report.left_out:
        raise typer.Exit(1)


async def _plan(
    client: "ApiClient", model: str, against: list[str], judge: str | None, questions: "list[Question]"
) -> "Plan":
    """Return what is to be measured. Raises NotFound, Invalid."""
    from parley.cli.deliberation_run import Plan
    from parley.cli.model_names import model_ids
    from parley.cli.saved_presets import contestant_or_model
    from parley.kernel.errors import Invalid

    presets: list[dict[str, Any]] = (await client.get("/api/presets"))["presets"]
    wanted = contestant_or_model(presets, model)
    combination, *others = await model_ids(client, [wanted, *against, *([judge] if judge else [])])
    rivals = others[: len(against)]
    if not rivals:
        preset = next((each for each in presets if each["model_id"] == combination), None)
        rivals = list(preset["seats"].values()) if preset else []
    rivals = [each for each in dict.fromkeys(rivals) if each != combination]
    if not rivals:
        title = f"There is nothing to compare {combination} with."
        raise Invalid("against", title, "Nothing was asked. It has no members: add --against MODEL.")
    judging = others[-1] if judge else None
    if judging in (combination, *rivals):
        say(f"{judging} judges its own answers. Another judge is fairer.", err=True)
    names = {each["id"]: each["name"] for each in (await client.get("/api/models"))["models"]}
    return Plan(combination, tuple(rivals), judging, questions, names)
