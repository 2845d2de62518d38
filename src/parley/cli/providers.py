"""`parley providers`: lists, adds, tests and removes the ways to reach models."""

import sys
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from parley.cli.offered import test_connection, with_facts
from parley.cli.options import ForceOption, JsonOption, ListsByDefault, forced, with_settings
from parley.cli.terminal import print_table, say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

HEADINGS = ("Id", "Name", "Address", "Key", ">Models", "From", "State")

_TESTED = ("known", "base_url", "api_key", "key_variable")

providers = typer.Typer(
    cls=ListsByDefault, help="List, add, test and remove providers. Without a command: list."
)

What = Annotated[
    str, typer.Argument(metavar="PROVIDER", help="A known provider, such as openai or ollama, or an address.")
]
KeyVariable = Annotated[
    str | None,
    typer.Option(help="The server's environment variable with the key.", show_default=False),
]
KeyFromStdin = Annotated[
    bool, typer.Option("--key-stdin", help="Read the key from stdin. In a terminal, ask for it.")
]


@providers.command(name="list")
@with_settings()
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List the providers."""
    from parley.cli.client import ask_server

    listed = ask_server(settings, lambda client: client.get("/api/providers"))
    if as_json:
        say_json({name: listed[name] for name in ("providers", "file", "file_error")})
        return
    print_table(HEADINGS, map(_row, listed["providers"]), width=160)
    for provider in listed["providers"]:
        if provider["problem"]:
            say(f"{provider['id']}: {provider['problem']}")
    if listed["file_error"]:
        say(f"The model list has a mistake. Parley keeps using the previous list: {listed['file_error']}")
    if not listed["providers"]:
        say("There are no providers yet. Add one with: parley providers add ollama")


@providers.command()
@with_settings()
def add(
    settings: "Settings",
    what: What,
    name: Annotated[str | None, typer.Option(help="The name to show.", show_default=False)] = None,
    base_url: Annotated[
        str | None, typer.Option(help="A different address for a known provider.", show_default=False)
    ] = None,
    connector: Annotated[
        str | None, typer.Option(help="The connector, if not the default.", show_default=False)
    ] = None,
    key_variable: KeyVariable = None,
    key_stdin: KeyFromStdin = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", help="A model to add, by its name at the provider.", show_default=False
        ),
    ] = None,
    battle: Annotated[bool, typer.Option("--battle", help="Use these models in battles.")] = False,
    region: Annotated[str | None, typer.Option(help="The provider's region.", show_default=False)] = None,
    weight: Annotated[
        float | None, typer.Option(help="Weight for sharing requests.", show_default=False)
    ] = None,
    priority: Annotated[
        int | None, typer.Option(help="Lower values are used first.", show_default=False)
    ] = None,
    max_concurrency: Annotated[
        int | None, typer.Option(help="Max requests at a time.", show_default=False)
    ] = None,
    max_per_minute: Annotated[
        int | None, typer.Option(help="Max requests per minute.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add a provider and its models. You can use them at once."""
    from parley.cli.client import ask_server

    fields: dict[str, Any] = {
        "name": name,
        "base_url": base_url,
        "connector": connector,
        "key_variable": key_variable,
        "region": region,
        "weight": weight,
        "priority": priority,
        "max_concurrency": max_concurrency,
        "max_per_minute": max_per_minute,
    }
    more = {field: value for field, value in fields.items() if value is not None}

    async def work(client: "ApiClient") -> Any:
        place = await _place(client, what, key_variable, key_stdin=key_stdin)
        body = {**place, **more}
        if model:
            tested = {name: body[name] for name in _TESTED if name in body}
            offer = await test_connection(client, tested)
            body["models"] = with_facts(offer, model, {"battle": True} if battle else {})
            body |= {"base_url": offer["base_url"]} if offer["base_url"] else {}
        return await client.send("POST", "/api/providers", body)

    added = ask_server(settings, work)
    if as_json:
        say_json(added)
        return
    if added["same_address_as"]:
        say(f"“{added['same_address_as']}” has the same address ({added['base_url']}).", err=True)
    count = added["models"]
    say(f"{added['id']}: added with {count} {'model' if count == 1 else 'models'}.")
    if not count:
        say(f"List its models with: parley providers test {added['id']}")
        say(f"Add them with: parley models add {added['id']} MODEL")


@providers.command(name="test")
@with_settings()
def probe(
    settings: "Settings",
    what: Annotated[
        str,
        typer.Argument(
            metavar="PROVIDER", help="A provider's id, a known provider that is not added yet, or an address."
        ),
    ],
    key_variable: KeyVariable = None,
    key_stdin: KeyFromStdin = False,
    as_json: JsonOption = False,
) -> None:
    """Test a connection and list its models. Exits with 1 if the test fails."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> Any:
        listed = await client.get("/api/providers")
        if what in {provider["id"] for provider in listed["providers"]}:
            body: dict[str, Any] = {"provider_id": what}
        else:
            body = await _place(client, what, key_variable, key_stdin=key_stdin)
            body |= {"key_variable": key_variable} if key_variable else {}
        return await test_connection(client, body)

    offer = ask_server(settings, work)
    if as_json:
        say_json(offer)
    else:
        _say_found(offer)
    if not offer["ok"]:
        raise typer.Exit(1)


@providers.command()
@with_settings()
def remove(
    settings: "Settings",
    provider: Annotated[str, typer.Argument(metavar="PROVIDER", help="The provider's id.")],
    force: ForceOption = False,
) -> None:
    """Remove a provider and the models that have no other provider. Votes and sessions stay."""
    from parley.cli.client import ask_server

    path = f"/api/providers/{quote(provider, safe='')}{forced(force)}"
    retired = ask_server(settings, lambda client: client.send("DELETE", path))["retired_models"]
    say(f"{provider}: removed{' with ' + ', '.join(retired) if retired else ''}.")


async def _place(
    client: "ApiClient", what: str, key_variable: str | None, *, key_stdin: bool
) -> dict[str, Any]:
    """Return the fields that say where a provider is, with its key. Raises BadParameter."""
    from parley.text.plain_words import did_you_mean

    known = {each["id"]: each for each in (await client.get("/api/providers"))["known"]}
    address = what not in known and any(sign in what for sign in ".:/")
    place: dict[str, Any] = {"base_url": what} if address else {"known": what}
    if not address and what not in known:
        raise typer.BadParameter(
            f"There is no known provider “{what}”{did_you_mean(what, list(known))}. "
            f"Known providers: {', '.join(known)}. Or use an address such as http://127.0.0.1:8000/v1."
        )
    needs_key = not address and known[what]["needs_key"]
    if key_stdin and key_variable:
        raise typer.BadParameter("use either --key-stdin or --key-variable")
    # A key is no argument: others could read it in the list of processes, and shells remember it.
    if key_stdin:
        place["api_key"] = (
            typer.prompt("Key", hide_input=True) if sys.stdin.isatty() else sys.stdin.read().strip()
        )
    elif needs_key and key_variable is None and sys.stdin.isatty():
        place["api_key"] = typer.prompt(f"Key of {known[what]['name']}", hide_input=True)
    return place


def _row(provider: dict[str, Any]) -> tuple[str, ...]:
    health = provider["health"]
    state = "off" if not provider["enabled"] else health["error"] or health["state"]
    variable = provider["key_variable"]
    return (
        provider["id"],
        provider["name"],
        provider["base_url"] or "–",
        f"${variable}" if variable else "saved" if provider["has_key"] else "–",
        str(provider["models"]),
        provider["source"],
        state,
    )


def _say_found(offer: dict[str, Any]) -> None:
    problem = offer["problem"]
    if problem:
        say("\n".join(part for part in (problem["title"], problem.get("detail")) if part))
    if offer["ok"]:
        where = f" to {offer['base_url']}" if offer["base_url"] else ""
        say(f"Connected{where} in {offer['latency_ms'] or 0:.0f} ms. Models: {len(offer['models'])}")
    for model in offer["models"]:
        say(f"  {model['model']}{'  added as ' + model['added'] if model['added'] else ''}")
    if offer["suggested_base_url"]:
        say(f"Try this address: {offer['suggested_base_url']}")
