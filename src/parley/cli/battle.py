"""`parley battle`: two hidden models answer, a person votes, and only then the models are named."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from parley.cli.asking import FileOption
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

Choice: TypeAlias = Literal["left", "tie", "both_bad", "right"]

CHOICES: tuple[Choice, ...] = ("left", "tie", "both_bad", "right")
"""In the order of the keys 1 to 4."""

QUESTION = "Which answer is better? 1 A, 2 tie, 3 both bad, 4 B, Enter skips: "
NOT_COUNTED = {
    "identity_leak": "an answer names its model or maker",
    "identity_question": "the question asks which model answers",
    "too_fast": "the vote was too fast for anyone to have read the answers",
    "guest": "votes of guests are not counted here",
    "duplicate_prompt": "the same two models already answered this prompt",
}


@with_settings()
def battle(
    settings: "Settings",
    prompt: PromptArgument = None,
    file: FileOption = None,
    vote: Annotated[
        Choice | None,
        typer.Option(help="Cast this vote without asking (for scripts).", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask two hidden models, then vote to reveal them. Ctrl-C stops them."""
    from parley.cli.answer_view import play
    from parley.cli.answers import check_answered
    from parley.cli.asking import ask_quietly, attach

    question = read_prompt(prompt)

    async def work(client: "ApiClient") -> Any:
        body = {"prompt": question, "mode": "battle", "attachments": await attach(client, file)}
        return await play(client, body, hidden=as_json)

    answers, document = ask_quietly(settings, work, blind=True)
    if document["turn"]["status"] != "completed":
        if as_json:
            say_json(document)
        check_answered(document["turn"], answers.all)
    match_id = document["match"]["id"]
    choice = vote if vote or as_json else _asked(match_id)
    if choice is not None:
        document = ask_quietly(
            settings, lambda client: _voted(client, match_id, choice, document["turn"]["id"]), blind=True
        )
    if as_json:
        say_json(document)
    elif choice is None:
        say(f"\nTo vote and see the models: {later(match_id)}")
    else:
        say(f"\n{vote_text(document['match']['vote'])}")


def _asked(match_id: str) -> Choice | None:
    """Ask for a vote in a terminal. Return None if there is none, or if the person skips."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    while True:
        say(QUESTION, nl=False)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            say(f"\nNo vote was cast. To vote later: {later(match_id)}", err=True)
            raise
        key = line.strip()
        if key in ("1", "2", "3", "4"):
            return CHOICES[int(key) - 1]
        if not key:
            return None


async def _voted(client: "ApiClient", match_id: str, choice: Choice, turn_id: str) -> Any:
    """Vote; return the turn as the API shows it now."""
    await cast(client, match_id, choice)
    return await client.get(f"/api/turns/{turn_id}")


async def cast(client: "ApiClient", match_id: str, choice: Choice, reason: str | None = None) -> Any:
    """Vote on a battle; return the vote."""
    from urllib.parse import quote

    body = {"vote": choice, "reason": reason}
    return await client.send("POST", f"/api/matches/{quote(match_id, safe='')}/vote", body)


def later(match_id: str) -> str:
    """Return the command that votes on a battle."""
    return f"parley votes cast {match_id} {'|'.join(CHOICES)}"


def vote_text(vote: dict[str, Any]) -> str:
    """Describe a vote: which model was which, what it took, and how its Elo changed."""
    from parley.cli.answers import metrics_text

    lines: list[str] = []
    for letter, side in (("A", "left"), ("B", "right")):
        seat = vote["seats"][side]
        took = f" · {metrics_text(seat['metrics'])}" if seat["metrics"] else ""
        lines.append(f"{letter}: {seat['name']} ({seat['organization']}){_elo_text(seat)}{took}")
    if not vote["counted"]:
        reason = vote["not_counted_reason"] or "unknown"
        lines.append(f"Saved, but not counted in the ratings: {NOT_COUNTED.get(reason, reason)}.")
    return "\n".join(lines)


def _elo_text(seat: dict[str, Any]) -> str:
    before, after = seat["elo_before"], seat["elo_after"]
    if before is None or after is None:
        return ""
    return f" · Elo {before:.0f} → {after:.0f} ({after - before:+.0f})"
