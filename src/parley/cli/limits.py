"""`parley limits`: what the installation, people, workspaces and API keys may use."""

from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote

import typer

from parley.cli.options import JsonOption, ListsByDefault, with_settings
from parley.cli.terminal import print_table, say, say_json
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

limits = typer.Typer(
    cls=ListsByDefault,
    help="Show and set limits in money, tokens, requests and images. Without a command: list.",
)
PATH = "/api/limits"
DAY_S = 86_400

LimitId = Annotated[str, typer.Argument(metavar="ID", help="An id from: parley limits")]
Cap = Annotated[str, typer.Option("--cap", help="The most: US dollars for money, else a whole number.")]
Warn = Annotated[int | None, typer.Option("--warn", help="Warn at this percentage of the limit.")]
Unpriced = Annotated[
    Literal["refuse", "allow"] | None,
    typer.Option(help="For limits in money: refuse models without a price, or allow them uncounted."),
]


@limits.command(name="list")
@with_settings(models=False)
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List all limits with their use."""
    from parley.cli.client import ask_server

    listed = ask_server(settings, lambda client: client.get(PATH))["limits"]
    if as_json:
        say_json(listed)
        return
    if not listed:
        say("There are no limits. Add one with: parley limits add --cap 20")
        return
    headings = ("Whose", "Limit", ">Spent", ">Held", ">Left", "Resets (UTC)", "Id")
    print_table(headings, [_row(limit) for limit in listed], width=140)


@limits.command()
@with_settings(models=False)
def add(
    settings: "Settings",
    cap: Cap,
    meter: Annotated[Literal["money", "tokens", "requests", "images"], typer.Option("--in")] = "money",
    each: Annotated[Literal["day", "month"], typer.Option("--each")] = "month",
    whose: Annotated[
        str | None,
        typer.Option(
            "--for", help="A person, workspace or API key, by name or id. Without: the installation."
        ),
    ] = None,
    warn: Warn = None,
    unpriced: Unpriced = None,
    as_json: JsonOption = False,
) -> None:
    """Add a limit; what was used before does not count."""
    from parley.cli.client import ask_server

    terms = {"meter": meter, "period": each, "cap": _amount(meter, cap), **_terms(warn, unpriced)}

    async def work(client: "ApiClient") -> dict[str, Any]:
        return await client.send("POST", PATH, {**terms, **await _subject(client, whose)})

    _show(ask_server(settings, work), as_json=as_json)


@limits.command()
@with_settings(models=False)
def change(
    settings: "Settings",
    limit: LimitId,
    cap: Annotated[str | None, typer.Option("--cap", help="The new limit.")] = None,
    warn: Warn = None,
    unpriced: Unpriced = None,
    as_json: JsonOption = False,
) -> None:
    """Change a limit."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> dict[str, Any]:
        terms = _terms(warn, unpriced)
        if cap is not None:
            terms["cap"] = _amount((await _limit(client, limit))["meter"], cap)
        return await client.send("PATCH", f"{PATH}/{quote(limit, safe='')}", terms)

    _show(ask_server(settings, work), as_json=as_json)


@limits.command(name="raise")
@with_settings(models=False)
def raise_(
    settings: "Settings",
    limit: LimitId,
    by: Annotated[str, typer.Option("--by", help="The amount to add: US dollars for money.")],
    days: Annotated[int, typer.Option(min=1, max=366, help="Days until the raise ends.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Raise a limit for some days."""
    from parley.cli.client import ask_server
    from parley.engine.clock import WallClock

    until = datetime.fromtimestamp(WallClock().now() + days * DAY_S, UTC).isoformat()

    async def work(client: "ApiClient") -> dict[str, Any]:
        amount = _amount((await _limit(client, limit))["meter"], by)
        body = {"by": amount, "until": until}
        return await client.send("PUT", f"{PATH}/{quote(limit, safe='')}/raise", body)

    _show(ask_server(settings, work), as_json=as_json)


@limits.command()
@with_settings(models=False)
def remove(settings: "Settings", limit: LimitId) -> None:
    """Remove a limit."""
    from parley.cli.client import ask_server

    ask_server(settings, lambda client: client.send("DELETE", f"{PATH}/{quote(limit, safe='')}"))
    say("The limit is removed.")


@limits.command()
@with_settings(models=False)
def rate(
    settings: "Settings",
    who: Annotated[Literal["person", "api_key"], typer.Argument(help="Each person, or each API key.")],
    per_minute: Annotated[int | None, typer.Option(help="Questions a minute. Without, no limit.")] = None,
    at_once: Annotated[int | None, typer.Option(help="Calls of models at once. Without, no limit.")] = None,
) -> None:
    """Set how often each person or API key may ask, and how many of their calls run at once."""
    from parley.cli.client import ask_server

    body = {"per_minute": per_minute, "at_once": at_once}
    ask_server(settings, lambda client: client.send("PUT", f"{PATH}/rates/{who}", body))
    say("The rate is set.")


async def _limit(client: "ApiClient", limit_id: str) -> dict[str, Any]:
    for limit in (await client.get(PATH))["limits"]:
        if limit["id"] == limit_id:
            return limit
    raise typer.BadParameter("There is no such limit. Use an id from: parley limits")


async def _subject(client: "ApiClient", whose: str | None) -> dict[str, str]:
    """Return the subject that a name or an id means."""
    if whose is None:
        return {"subject_kind": "installation", "subject_id": ""}
    subjects = (await client.get(f"{PATH}/subjects"))["subjects"]
    matches = [each for each in subjects if whose and whose in (each["id"], each["name"])]
    if len(matches) != 1:
        many = "Several people, workspaces or keys" if matches else "No person, workspace or key"
        raise typer.BadParameter(f"{many} are called “{in_one_line(whose)}”.", param_hint="--for")
    return {"subject_kind": matches[0]["kind"], "subject_id": matches[0]["id"]}


def _terms(warn: int | None, unpriced: str | None) -> dict[str, Any]:
    terms = {"warn_percent": warn, "unpriced": unpriced}
    return {name: value for name, value in terms.items() if value is not None}


def _amount(meter: str, written: str) -> int:
    """Return an amount in the limit's unit."""
    try:
        value = Decimal(written.removeprefix("$").replace(",", "")) * (1_000_000 if meter == "money" else 1)
        whole = int(value)
    except (InvalidOperation, ValueError, OverflowError):
        raise typer.BadParameter(f"“{in_one_line(written)}” is not an amount.") from None
    if whole != value or whole < 0:
        raise typer.BadParameter(f"“{in_one_line(written)}” is not an amount in {meter}.")
    return whole


def _row(limit: dict[str, Any]) -> tuple[str, ...]:
    meter = limit["meter"]
    raised = f" until {limit['raised_until'][:10]}" if limit["raised_until"] else ""
    return (
        limit["subject"]["name"],
        f"{_text(meter, limit['cap'])} a {limit['period']}{raised}",
        _text(meter, limit["spent"]),
        _text(meter, limit["held"]),
        _text(meter, limit["left"]),
        limit["resets_at"][:16].replace("T", " "),
        limit["id"],
    )


def _show(limit: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(limit)
        return
    words = f"{_text(limit['meter'], limit['cap'])} a {limit['period']}"
    say(f"{in_one_line(limit['subject']['name'])}: {words}, {_text(limit['meter'], limit['left'])} left.")


def _text(meter: str, amount: int) -> str:
    return f"${amount / 1e6:,.2f}" if meter == "money" else f"{amount:,} {meter}"
