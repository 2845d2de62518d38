"""Prints a session in the terminal: each question with its answers, by the models' names."""

from typing import Any

from parley.cli.answers import seat_names
from parley.cli.markdown import markdown_lines
from parley.cli.terminal import console, say
from parley.text.controls import in_one_line

CHOICES = {"tie": "a tie", "both_bad": "both bad"}


def print_session(document: dict[str, Any]) -> None:
    """Print a session as the API shows it."""
    session = document["session"]
    say(f"{in_one_line(session['title'])} · {session['updated_at'][:10]} · {session['id']}")
    for record in document["matches"]:
        match = record["match"]
        seats = match["seats"]
        shown = seat_names(seats, revealed=bool(match.get("vote")))
        names = dict(zip((seat["name"] for seat in seats), shown, strict=True))
        for turn in record["turns"]:
            _print_turn(turn, names)
        if vote := match.get("vote"):
            say(f"\nYour vote: {CHOICES.get(vote['vote']) or names.get(vote['vote'], vote['vote'])}.")


def _print_turn(turn: dict[str, Any], names: dict[str, str]) -> None:
    text = turn["input"].get("text")
    if text:
        say("\n" + "\n".join(f"> {line}" for line in text.splitlines()))
    for reply in turn["replies"]:
        say(f"\n=== {in_one_line(str(names.get(reply['seat'], reply['seat'])))} ===\n")
        _print_text(reply["text"])
        if reply["status"] != "completed":
            problem = reply["error"]["title"] if reply["error"] else f"The answer is {reply['status']}."
            say(f"[{in_one_line(problem)}]")


def _print_text(text: str) -> None:
    out = console()
    if not out.is_terminal or out.is_dumb_terminal:
        say(text)
        return
    for line in markdown_lines(text, out, out.width):
        out.print(line)
