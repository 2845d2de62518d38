"""Steps in between the rounds of a team: what a person types in the terminal, as an input of the next turn."""

from collections.abc import Mapping
from typing import Any

from parley.cli.terminal import say
from parley.cli.typed import typed_line

HELP = """\
Enter plays the next round. You can also type:
  add TEXT          a fact that everybody hears
  steer TEXT        a direction for everybody
  ask ROLE: TEXT    a round in which only this member answers
  skip [ROLE]       the next round without this member, or one round less
  synthesise        the synthesis now
  end               all rounds to the synthesis, without a pause
Ctrl-D leaves the team paused."""

WORDS: Mapping[str, dict[str, Any]] = {
    "": {"type": "continue"},
    "continue": {"type": "continue"},
    "end": {"type": "continue", "to_end": True},
    "synthesise": {"type": "synthesise"},
    "synthesize": {"type": "synthesise"},
    "skip": {"type": "skip"},
}


def step_of(line: str, roles: Mapping[str, str]) -> dict[str, Any]:
    """Return a typed line as an input; `roles` are by seat. Raises ValueError, saying what to type."""
    word, _, rest = line.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in WORDS and not rest:
        return WORDS[word]
    if word in ("add", "steer"):
        return {"type": word, "text": _text(rest, f"{word} TEXT")}
    if word == "skip":
        return {"type": "skip", "seat": _seat(rest, roles)}
    if word == "ask":
        who, _, text = rest.partition(":")
        return {"type": "ask", "seat": _seat(who, roles), "text": _text(text, "ask ROLE: TEXT")}
    raise ValueError(f"“{line.strip()}” is not one of these.\n{HELP}")


async def next_step(roles: Mapping[str, str]) -> dict[str, Any] | None:
    """Ask until a line is an input; None at the end of the terminal's input (Ctrl-D)."""
    while True:
        say("Next (Enter continues, ? for help): ", err=True, nl=False)
        line = await typed_line()
        if not line:
            say("\nPaused. Finished statements are saved in the session.", err=True)
            return None
        if line.strip() in ("?", "help"):
            say(HELP, err=True)
            continue
        try:
            return step_of(line, roles)
        except ValueError as error:
            say(str(error), err=True)


def _text(text: str, wanted: str) -> str:
    if not text.strip():
        raise ValueError(f"Type {wanted}.")
    return text.strip()


def _seat(named: str, roles: Mapping[str, str]) -> str:
    wanted = named.strip().casefold()
    seats = [seat for seat, role in roles.items() if wanted in (seat.casefold(), role.casefold())]
    if len(seats) == 1:
        return seats[0]
    members = ", ".join(f"{role} ({seat})" for seat, role in roles.items())
    problem = (
        f"{len(seats)} members are “{named.strip()}”" if seats else f"There is no member “{named.strip()}”"
    )
    raise ValueError(f"{problem}. Name one of {members}.")
