"""`parley compare`: asks two to six models the same, and shows their answers side by side."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.asking import EffortOption, FileOption, MaxTokensOption, SystemOption, TemperatureOption
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

SEATS = "abcdef"


@with_settings()
def compare(
    settings: "Settings",
    model: Annotated[
        list[str],
        typer.Option(
            "--model", "-m", help="A model's id or name. Repeat for 2 to 6 models; the same one may repeat."
        ),
    ],
    prompt: PromptArgument = None,
    file: FileOption = None,
    system: SystemOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    effort: EffortOption = None,
    one_at_a_time: Annotated[
        bool, typer.Option("--one-at-a-time", help="Ask each model after the previous one finishes.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare models. Ctrl-C stops them and saves finished answers. Exits with 1 if some failed."""
    from parley.cli.answer_view import play
    from parley.cli.answers import check_answered, summary_text
    from parley.cli.asking import ask_quietly, attach, seat_settings_of
    from parley.cli.model_names import model_ids

    if not 2 <= len(model) <= len(SEATS):
        raise typer.BadParameter(f"compare takes 2 to {len(SEATS)} models", param_hint="--model")
    question = read_prompt(prompt)
    seat_settings = seat_settings_of(system, temperature, max_tokens, effort)

    async def work(client: "ApiClient") -> Any:
        seats = dict(zip(SEATS, await model_ids(client, model), strict=False))
        body: dict[str, Any] = {"prompt": question, "mode": "compare", "seats": seats}
        body["attachments"] = await attach(client, file)
        if one_at_a_time:
            body["brief"] = {"order": "one_at_a_time"}
        if seat_settings:
            body["seat_settings"] = dict.fromkeys(seats, seat_settings)
        return await play(client, body, hidden=as_json)

    answers, document = ask_quietly(settings, work)
    if as_json:
        say_json(document)
    elif summary := summary_text(answers.all):
        say(f"\n{summary}")
    check_answered(document["turn"], answers.all)
    if failed := [answer.name for answer in answers.all if answer.problem]:
        say(f"Failed: {', '.join(failed)}.", err=True)
        raise typer.Exit(1)
