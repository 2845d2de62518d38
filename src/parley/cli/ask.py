"""`parley ask`: asks one model and streams its answer."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.asking import FileOption, MaxTokensOption, SystemOption, TemperatureOption
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings


@with_settings()
def ask(
    settings: "Settings",
    model: Annotated[str, typer.Argument(help="The model's id or name.")],
    prompt: PromptArgument = None,
    file: FileOption = None,
    system: SystemOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one model. Ctrl-C stops the answer and saves the text so far."""
    from parley.cli.answer_view import GrowingText
    from parley.cli.answers import Answers, check_answered
    from parley.cli.asking import ask_quietly, ask_turn, asked_settings, attach
    from parley.cli.model_names import model_ids
    from parley.cli.turns import SAVED

    question = read_prompt(prompt)
    answers, growing = Answers(), GrowingText()

    def update() -> None:
        for answer in answers.all if not as_json else ():
            growing.update(answer.text)

    async def work(client: "ApiClient") -> dict[str, Any]:
        (model_id,) = await model_ids(client, [model])
        body: dict[str, Any] = {"prompt": question, "mode": "chat", "seats": {"assistant": model_id}}
        body["attachments"] = await attach(client, file)
        if given := asked_settings(system, temperature, max_tokens):
            body["seat_settings"] = {"assistant": given}
        try:
            return await ask_turn(client, body, answers, update)
        except asyncio.CancelledError:
            # Below the text, on a line of its own.
            for answer in answers.all if not as_json else ():
                growing.update(answer.text, ended=True)
            say(f"Stopped. {SAVED}", err=True)
            raise

    document = ask_quietly(settings, work)
    if as_json:
        say_json(document)
    for answer in answers.all:
        if not as_json:
            growing.update(answer.text, ended=True)
        if answer.finish_reason == "length":
            say("The answer reached the token limit.", err=True)
        if answer.facts and sys.stderr.isatty():
            say(answer.facts, err=True)
    check_answered(document["turn"], answers.all)
