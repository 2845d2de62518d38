"""The commands that every mode with saved presets has: list, show, remove; and finding and saving one by its name."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

T = TypeVar("T")
Preset = dict[str, Any]


class PresetKind(NamedTuple):
    """Presets of a mode: what one and several are called, a preset in one line, how to save the first."""

    mode: str
    several: str
    line: Callable[[Preset], str]
    first: str


def single_spaced(name: str) -> str:
    """Return a name as presets store it."""
    return " ".join(name.split())


Name = Annotated[str, typer.Argument(help="The name.", parser=single_spaced, metavar="NAME")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="Any other setting.", show_default=False),
]
Contestant = Annotated[
    bool | None,
    typer.Option("--contestant/--no-contestant", help="Let it answer like a model.", show_default=False),
]


def add_commands(group: typer.Typer, kind: PresetKind) -> None:
    """Add the commands list, show and remove to a mode's group."""

    @group.command(name="list", help=f"List the saved {kind.several}.")
    @with_settings()
    def list_(settings: "Settings", as_json: JsonOption = False) -> None:
        presets = carry_out(settings, lambda client: all_presets(client, kind))
        if as_json:
            say_json({"presets": presets})
            return
        for preset in presets:
            say(_line(kind, preset))
        if not presets:
            say(f"There are no {kind.several} yet. Save one with: {kind.first}")

    @group.command(help=f"Show a saved {kind.mode} with all its settings.")
    @with_settings()
    def show(settings: "Settings", name: Name, as_json: JsonOption = False) -> None:
        preset = carry_out(settings, lambda client: find_preset(client, kind, name))
        if as_json:
            say_json(preset)
            return
        say(_line(kind, preset))
        for key, value in preset["brief"].items():
            say(f"  {key}: {'–' if value is None else value}")

    @group.command(help=f"Remove a saved {kind.mode}. Its sessions stay.")
    @with_settings()
    def remove(settings: "Settings", name: Name) -> None:
        async def work(client: "ApiClient") -> None:
            preset = await find_preset(client, kind, name)
            await client.send("DELETE", f"/api/presets/{preset['id']}")

        carry_out(settings, work)
        say(f"{name}: removed.")


def _line(kind: PresetKind, preset: Preset) -> str:
    missing = f" (missing or disabled: {', '.join(preset['missing'])})" if preset["missing"] else ""
    return f"{preset['name']}: {kind.line(preset)}{missing}"


def carry_out(settings: "Settings", work: "Callable[[ApiClient], Awaitable[T]]") -> T:
    """Do some work with the running server, or with one that is started for it."""
    from parley.cli.client import ask_server

    return ask_server(settings, work)


async def all_presets(client: "ApiClient", kind: PresetKind) -> list[Preset]:
    """Return all presets of a kind."""
    return (await client.get("/api/presets", mode=kind.mode))["presets"]


async def find_preset(client: "ApiClient", kind: PresetKind, name: str) -> Preset:
    """Return the preset with a name. Raises NotFound."""
    from parley.kernel.errors import NotFound
    from parley.text.plain_words import did_you_mean

    presets = {preset["name"]: preset for preset in await all_presets(client, kind)}
    if name not in presets:
        near = did_you_mean(name, list(presets))
        raise NotFound(f"There is no {kind.mode} “{name}”{near}.", f"List them with: parley {kind.mode} list")
    return presets[name]


def contestant_or_model(presets: Sequence[Preset], name: str) -> str:
    """Return the model id of the contestant with a name, else the name itself. Raises Invalid for no contestant."""
    from parley.kernel.errors import Invalid

    named = [each for each in presets if each["name"].casefold() == name.casefold()]
    if named and not any(each["model_id"] for each in named):
        detail = f"Nothing was asked. Run: parley {named[0]['mode']} save with --contestant."
        raise Invalid("model", f"The {named[0]['mode']} “{named[0]['name']}” is no contestant.", detail)
    return next((each["model_id"] for each in named if each["model_id"]), name)


async def request_to(
    client: "ApiClient", kind: PresetKind, name: str, question: str, changed: dict[str, object]
) -> dict[str, Any]:
    """Return the request that asks a preset, with `changed` settings; print what it will take. Raises NotFound."""
    preset = await find_preset(client, kind, name)
    body = {key: preset[key] for key in ("mode", "seats", "seat_settings")}
    body |= {"prompt": question, "brief": {**preset["brief"], **changed}}
    say(quote_text(await client.send("POST", "/api/quote", body)), err=True)
    return body


async def save_preset(
    client: "ApiClient",
    kind: PresetKind,
    name: str,
    seats: dict[str, str],
    brief: dict[str, Any],
    contestant: bool | None = None,
) -> str:
    """Save a preset, or change the one with this name; return "saved" or "changed". A `contestant` of None stays."""
    body: dict[str, Any] = {"seats": seats, "brief": brief}
    body |= {} if contestant is None else {"contestant": contestant}
    existing = {preset["name"]: preset["id"] for preset in await all_presets(client, kind)}
    if (preset_id := existing.get(single_spaced(name))) is not None:
        await client.send("PATCH", f"/api/presets/{preset_id}", body)
        return "changed"
    await client.send("POST", "/api/presets", {"mode": kind.mode, "name": name, **body})
    return "saved"


def settings_of(options: list[str] | None) -> dict[str, object]:
    """Read KEY=VALUE pairs; a value that is not JSON is text. Raises BadParameter."""
    import msgspec

    read: dict[str, object] = {}
    for option in options or ():
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"“{option}” must be like rounds=3", param_hint="--option")
        try:
            read[key.strip()] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            read[key.strip()] = value
    return read


def quote_text(quote: dict[str, Any]) -> str:
    """Describe the expected calls and cost in one line."""
    least, most = quote["calls_least"], quote["calls_most"]
    calls = f"{least} calls" if least == most else f"{least} to {most} calls"
    low, high = quote["cost_usd_least"], quote["cost_usd_most"]
    if low is None or high is None:
        return f"This takes {calls}. The models have no prices."
    cost = f"about ${low:.4f}" if low == high else f"about ${low:.4f} to ${high:.4f}"
    unpriced = f", without {', '.join(quote['unpriced'])} (no prices)" if quote["unpriced"] else ""
    return f"This takes {calls}, {cost}{unpriced}."
