"""Runs a team for the terminal: prints statements as they end, streams the synthesis, and sums up."""

from typing import TYPE_CHECKING, Any

from parley.cli.answer_view import GrowingText
from parley.cli.answers import cost_text, metrics_text
from parley.cli.team_steps import next_step
from parley.cli.terminal import say
from parley.cli.turns import check_finished, run_turn

if TYPE_CHECKING:
    from parley.cli.client import ApiClient


async def run_team(
    client: "ApiClient", body: dict[str, Any], *, quiet: bool, steps: bool = False
) -> dict[str, Any]:
    """Run one turn; return its synthesis (null if there is none) and the turn as the API shows it.

    With `steps` a person is asked in the terminal whenever the team pauses, and what they type starts the next turn.

    Statements go to stderr, the synthesis to stdout as it is written; with `quiet` only progress, to stderr. Cancelling
    stops the turn. Raises Unfinished if the turn failed or was stopped, ParleyError if it could not start.
    """
    printer = _Printer(quiet=quiet)
    shown = await _shown(client, await run_turn(client, body, printer.take), printer)
    while steps and _paused(shown["turn"]) and (step := await next_step(printer.roles)):
        path = f"/api/matches/{shown['match']['id']}/turns"
        shown = await _shown(client, await run_turn(client, {"input": step}, printer.take, path), printer)
    synthesis = next(
        (note["data"] for note in shown["turn"]["notes"] if note["name"] == "team.synthesis/1"), None
    )
    return {"synthesis": synthesis, **shown}


async def _shown(client: "ApiClient", end: dict[str, Any], printer: "_Printer") -> dict[str, Any]:
    """Return an ended turn as the API shows it, summed up for the person. Raises Unfinished."""
    check_finished(end)
    shown = await client.get(f"/api/turns/{end['turn_id']}")
    printer.sum_up(shown["turn"])
    return shown


def _paused(turn: dict[str, Any]) -> bool:
    ends = [note["data"] for note in turn["notes"] if note["name"] == "team.round/1"]
    return bool(ends) and ends[-1]["next"] == "pause"


class _Printer:
    """Prints what a team says: a statement once its text and its note are there.

    `_replies` are the texts so far, `_said` the notes that wait for their text, both by the ids of replies.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._replies: dict[str, dict[str, Any]] = {}
        self._said: dict[str, dict[str, Any]] = {}
        self.roles: dict[str, str] = {}
        """The members' roles by their seats, once the plan is known."""
        self._growing = GrowingText()

    def take(self, event: dict[str, Any]) -> None:
        """Apply an event."""
        match event["kind"]:
            case "turn.snapshot":
                for reply in event["turn"]["replies"]:
                    ended = reply["status"] not in ("waiting", "streaming")
                    self._replies[reply["id"]] = {**reply, "ended": ended}
                for note in event["turn"]["notes"]:
                    self._print_note(note)
            case "reply.started":
                self._replies[event["reply_id"]] = {**event, "text": "", "metrics": None, "ended": False}
            case "reply.delta" if event["channel"] == "text":
                reply = self._replies[event["reply_id"]]
                reply["text"] += event["text"][max(0, len(reply["text"]) - event["offset"]) :]
                self._show_synthesis(reply)
            case "reply.completed" | "reply.failed":
                reply = self._replies[event["reply_id"]]
                reply |= {"metrics": event["metrics"], "ended": True}
                self._show_synthesis(reply, ended=True)
                self._print_statement(event["reply_id"])
            case "note.added":
                self._print_note(event["note"])
            case _:
                pass

    def sum_up(self, turn: dict[str, Any]) -> None:
        """Print rounds, cost, who changed their mind, and why the rounds ended."""
        ends = [note["data"] for note in turn["notes"] if note["name"] == "team.round/1"]
        spoken = [note["data"] for note in turn["notes"] if note["name"] == "team.said/1"]
        if not ends:
            return
        spent = ends[-1]["spent"]
        least = "at least " if spent["unpriced"] else ""
        cost = f"{least}{cost_text(spent['cost_micros'])}" if spent["cost_micros"] else "no prices"
        rounds = _counted(ends[-1]["done"], "round")
        statements = _counted(sum(not each["problem"] for each in spoken), "statement")
        say(f"\n{rounds}, {statements}, {spent['tokens']:,} tokens, {cost}", err=True)
        if ends[-1]["why"] in ("tokens", "money"):
            say("The rounds ended at the cap.", err=True)
        for each in spoken:
            if each["changed"]:
                say(
                    f"Changed their mind: {each['role']} [{each['ref']}]: {each['changed']['text']}", err=True
                )

    def _show_synthesis(self, reply: dict[str, Any], *, ended: bool = False) -> None:
        if reply["purpose"] == "synthesis" and reply["text"] and not self._quiet:
            self._growing.update(reply["text"], ended=ended)

    def _print_note(self, note: dict[str, Any]) -> None:
        data: dict[str, Any] = note["data"]
        match note["name"]:
            case "team.plan/1":
                self.roles = {member["seat"]: member["role"] for member in data["members"]}
            case "team.choice/1":
                chosen = ", ".join(self.roles[seat] for seat in data["chosen"]) or "the synthesis"
                by = "" if data["how"] == "moderator" else f" (by turns: {data['problem']})"
                say(f"The moderator chooses {chosen}{by}.", err=True)
            case "team.said/1":
                self._said[data["reply_id"]] = data
                self._print_statement(data["reply_id"])
            case "team.synthesis/1" if data["warning"]:
                say(data["warning"], err=True)
            case _:
                pass

    def _print_statement(self, reply_id: str) -> None:
        reply, data = self._replies.get(reply_id, {}), self._said.get(reply_id)
        if data is None or not reply.get("ended"):
            return
        facts = f" · {metrics_text(reply['metrics'])}" if reply["metrics"] else ""
        answers = ", ".join(each["ref"] for each in data["answers"])
        say(f"[{data['ref']} {data['role']}]{f' answers {answers}' if answers else ''}{facts}", err=True)
        if data["problem"]:
            say(f"  {data['problem']['title']}\n", err=True)
        elif not self._quiet:
            say(f"{reply['text'][data['start'] : data['end']]}\n", err=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else f'{noun}s'}"
