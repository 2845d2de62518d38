"""`parley ask`: asks one model and streams its answer."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.asking import EffortOption, FileOption, MaxTokensOption, SystemOption, TemperatureOption
from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings


@with_settings()
def ask(
    settings: "Settings",
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL] PROMPT",
            help="The prompt, in quotes, after a model's id or name where it is not for the default model. "
            "Piped text is added after it. Use - or omit it to read stdin.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="MODEL", help="The model's id or name.", show_default=False),
    ] = None,
    continue_: Annotated[bool, typer.Option("--continue", "-c", help="Continue your last chat.")] = False,
    file: FileOption = None,
    system: SystemOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    effort: EffortOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one model. Ctrl-C stops the answer and saves the text so far."""
    from parley.cli.answer_view import GrowingAnswer
    from parley.cli.answers import SeatReplies, check_answered
    from parley.cli.ask_address import addressed, next_turn
    from parley.cli.asking import ask_quietly, ask_turn, attach, seat_settings_of
    from parley.cli.prompts import piped_text
    from parley.cli.turns import SAVED

    piped = piped_text()
    answers = SeatReplies()
    view = GrowingAnswer(answers, hidden=as_json)

    async def work(client: "ApiClient") -> dict[str, Any]:
        address = await addressed(client, settings, model, words or (), piped, continues=continue_)
        seat_settings = seat_settings_of(system, temperature, max_tokens, effort)
        request = next_turn(address, seat_settings, await attach(client, file))
        try:
            with view:
                return await ask_turn(client, request.body, answers, view.update, request.path)
        except asyncio.CancelledError:
            say(f"Stopped. {SAVED}", err=True)
            raise

    document = ask_quietly(settings, work)
    if as_json:
        say_json(document)
    for answer in answers.all:
        limit = "The answer reached the token limit." if answer.finish_reason == "length" else ""
        for note in filter(None, (limit, answer.files_note)):
            say(note, err=True)
        if answer.facts and sys.stderr.isatty():
            say(answer.facts, err=True)
    check_answered(document["turn"], answers.all)
