"""`parley team`: saves and runs teams of experts."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from parley.cli.model_names import model_ids
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.saved_presets import (
    Contestant,
    Name,
    Options,
    Preset,
    PresetKind,
    add_commands,
    carry_out,
    request_to,
    save_preset,
    settings_of,
)
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

SEATS = "abcdefgh"

team = typer.Typer(
    no_args_is_help=True, help="Run and save teams: experts with roles who discuss a question."
)


def _line(preset: Preset) -> str:
    members = preset["brief"]["members"]
    seated = (
        f"{model_id} ({members[seat]['role']})" if seat in members else model_id
        for seat, model_id in preset["seats"].items()
    )
    return f"{', '.join(seated)}; {preset['brief']['strategy']}"


KIND = PresetKind(
    mode="team", several="teams", line=_line, first="parley team save NAME -m MODEL=ROLE -m MODEL=ROLE"
)
add_commands(team, KIND)


class Expert(NamedTuple):
    """A member as it is given: a model, and its role with own instructions where wanted."""

    model: str
    role: str
    instructions: str | None


@team.command()
@with_settings()
def save(
    settings: "Settings",
    name: Name,
    member: Annotated[
        list[str],
        typer.Option(
            "--member",
            "-m",
            metavar="MODEL[=ROLE[: INSTRUCTIONS]]",
            help="A model and its role. Repeat for 2 to 8 members.",
        ),
    ],
    like: Annotated[
        str | None, typer.Option(help="Start with a ready team, such as “Decision”.", show_default=False)
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="round_robin, debate, trial, critique, panel or red_team.", show_default=False),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds before the synthesis (2).", show_default=False)
    ] = None,
    contestant: Contestant = None,
    option: Options = None,
) -> None:
    """Save a team. If the name exists, change its members and settings."""
    if not 2 <= len(member) <= len(SEATS):
        raise typer.BadParameter(f"a team has 2 to {len(SEATS)} members", param_hint="--member")
    experts = [_expert(each) for each in member]
    brief = {"strategy": strategy, "rounds": rounds}
    changed = {key: value for key, value in brief.items() if value is not None} | settings_of(option)

    async def work(client: "ApiClient") -> str:
        ready = await _ready_team(client, like) if like else {}
        models = await model_ids(client, [each.model for each in experts])
        seats = dict(zip(SEATS, models, strict=False))
        roles = {seat: role for seat, role in ready.get("members", {}).items() if seat in seats}
        own = {seat: each for seat, each in zip(SEATS, experts, strict=False) if each.role}
        roles |= {seat: {"role": each.role, "instructions": each.instructions} for seat, each in own.items()}
        return await save_preset(
            client, KIND, name, seats, {**ready, "members": roles, **changed}, contestant
        )

    say(f"{name}: {carry_out(settings, work)}.")


@team.command()
@with_settings()
def run(
    settings: "Settings",
    name: Name,
    prompt: PromptArgument = None,
    option: Options = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a team and run it to its synthesis. Ctrl-C stops it and saves finished statements.

    In a terminal, a team that pauses each round lets you step in between the rounds.
    """
    from parley.cli.team_run import run_team
    from parley.cli.typed import can_ask

    question = read_prompt(prompt)
    steps = can_ask() and not as_json
    changed = ({} if steps else {"pause": "never"}) | settings_of(option)

    async def work(client: "ApiClient") -> dict[str, Any]:
        body = await request_to(client, KIND, name, question, changed)
        return await run_team(client, body, quiet=as_json, steps=steps)

    document = carry_out(settings, work)
    if as_json:
        say_json(document)


def _expert(entry: str) -> Expert:
    """Read MODEL[=ROLE[: INSTRUCTIONS]]."""
    model, _, rest = entry.partition("=")
    role, _, instructions = rest.partition(":")
    return Expert(model.strip(), role.strip(), instructions.strip() or None)


async def _ready_team(client: "ApiClient", name: str) -> dict[str, Any]:
    """Return the brief of a ready team. Raises NotFound."""
    from parley.kernel.errors import NotFound

    modes = {mode["name"]: mode for mode in (await client.get("/api/modes"))["modes"]}
    teams = {each["name"].casefold(): each for each in modes["team"]["brief_schema"]["x-teams"]}
    if name.casefold() not in teams:
        names = ", ".join(each["name"] for each in teams.values())
        raise NotFound(f"There is no ready team “{name}”.", f"Ready teams: {names}.")
    return teams[name.casefold()]["brief"]
