"""`parley users`: who may sign in to a shared Parley."""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from parley.cli.options import JsonOption, ListsByDefault, with_settings
from parley.cli.terminal import print_table, say, say_json
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

users = typer.Typer(
    cls=ListsByDefault, help="List the people of a shared Parley, let them in and keep them out."
)

EmailOption = Annotated[str, typer.Option("--email", prompt="E-mail", help="Their e-mail address.")]
NameOption = Annotated[str, typer.Option("--name", prompt="Name", help="Their name.")]
PasswordOption = Annotated[
    str,
    typer.Option(
        "--password",
        prompt="Password",
        hide_input=True,
        confirmation_prompt=True,
        envvar="NEW_PARLEY_PASSWORD",
        help="Their password; better typed when asked, or given in the variable.",
    ),
]
PersonArgument = Annotated[str, typer.Argument(help="An e-mail address, or an id from the list.")]


@users.command(name="list")
@with_settings(models=False)
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List everybody."""
    from parley.cli.client import ask_server

    listed = ask_server(settings, lambda client: client.get("/api/people"))
    if as_json:
        say_json(listed)
        return
    rows = [
        (
            person["name"],
            person["email"] or "",
            "disabled" if person["disabled_at"] else person["role"],
            (person["seen_at"] or "never")[:16].replace("T", " "),
            person["id"],
        )
        for person in listed["people"]
    ]
    print_table(("Name", "E-mail", "Role", "Last seen (UTC)", "Id"), rows, width=120)


@users.command(name="create-admin")
@with_settings(models=False)
def create_admin(
    settings: "Settings", email: EmailOption, name: NameOption, password: PasswordOption
) -> None:
    """Make an administrator. The first one gets everything that a personal installation has."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> None:
        account = {"email": email, "name": name, "password": password}
        me = (await client.get("/api/me"))["person"]
        if me["email"] is None:
            await client.send("POST", "/api/me/account", account)
        else:
            await client.send("POST", "/api/people", {**account, "role": "administrator"})

    ask_server(settings, work)
    say(f"{in_one_line(name)} is an administrator and signs in with {in_one_line(email)}.")


@users.command()
@with_settings(models=False)
def invite(
    settings: "Settings",
    role: Annotated[str, typer.Option(help="administrator or member.")] = "member",
    note: Annotated[str, typer.Option(help="For whom it is.")] = "",
    days: Annotated[int, typer.Option(help="Days until it expires.")] = 7,
    as_json: JsonOption = False,
) -> None:
    """Print a link with which one person makes an account."""
    body = {"role": role, "note": note, "days": days}
    _print_link(settings, "/api/people/invitations", body, as_json)


@users.command(name="reset-password")
@with_settings(models=False)
def reset_password(settings: "Settings", person: PersonArgument, as_json: JsonOption = False) -> None:
    """Print a link with which a person sets a new password."""
    from parley.cli.client import ask_server

    person_id = ask_server(settings, lambda client: _find(client, person))
    _print_link(settings, f"/api/people/{quote(person_id, safe='')}/reset", None, as_json)


@users.command()
@with_settings(models=False)
def disable(settings: "Settings", person: PersonArgument) -> None:
    """Keep a person out. Their sessions and votes stay."""
    _change(
        settings, person, {"disabled": True}, "is disabled. Their logins have ended; sessions and votes stay."
    )


@users.command()
@with_settings(models=False)
def enable(settings: "Settings", person: PersonArgument) -> None:
    """Let a disabled person in again."""
    _change(settings, person, {"disabled": False}, "can sign in again.")


def _change(settings: "Settings", person: str, body: dict[str, object], done: str) -> None:
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> Any:
        person_id = await _find(client, person)
        return await client.send("PATCH", f"/api/people/{quote(person_id, safe='')}", body)

    say(f"{in_one_line(ask_server(settings, work)['name'])} {done}")


def _print_link(settings: "Settings", path: str, body: object, as_json: bool) -> None:
    from parley.cli.client import ask_server

    link = ask_server(settings, lambda client: client.send("POST", path, body))
    if as_json:
        say_json(link)
    else:
        say(f"{link['url']}\n\nIt works once, until {link['expires_at'][:16].replace('T', ' ')} UTC.")


async def _find(client: "ApiClient", person: str) -> str:
    """Return the id of a person named by address or id. Raises NotFound."""
    from parley.kernel.errors import NotFound
    from parley.text.plain_words import did_you_mean

    people = (await client.get("/api/people"))["people"]
    for each in people:
        if person.strip().lower() in (each["email"], each["id"]):
            return str(each["id"])
    known = [each["email"] for each in people if each["email"]]
    raise NotFound(
        f"Nobody has the address {person}{did_you_mean(person, known)}.", "parley users lists everybody."
    )
