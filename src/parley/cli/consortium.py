"""`parley consortium`: saves and runs consortia, and exchanges them with the llm-consortium plugin."""

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from parley.cli.model_names import model_resolver
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

T = TypeVar("T")

consortium = typer.Typer(no_args_is_help=True, help="Run and save consortia: several models and an arbiter.")


def _single_spaced(name: str) -> str:
    """Return a name as presets store it."""
    return " ".join(name.split())


Name = Annotated[str, typer.Argument(help="The consortium's name.", parser=_single_spaced, metavar="NAME")]
Store = Annotated[
    Path | None,
    typer.Option("--store", help="The plugin's file or folder (default: llm's).", show_default=False),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="Any setting of a consortium.", show_default=False
    ),
]


@consortium.command()
@with_settings()
def save(
    settings: "Settings",
    name: Name,
    model: Annotated[
        list[str], typer.Option("--model", "-m", metavar="MODEL[:N]", help="A member, with N seats.")
    ],
    arbiter: Annotated[str, typer.Option(help="The model that judges.")],
    confidence_threshold: Annotated[str | None, typer.Option(help="0.8 or 80%.", show_default=False)] = None,
    max_iterations: Annotated[int | None, typer.Option(help="Max rounds (3).", show_default=False)] = None,
    min_iterations: Annotated[int | None, typer.Option(help="Min rounds (1).", show_default=False)] = None,
    system: Annotated[
        str | None, typer.Option(help="System prompt of every member.", show_default=False)
    ] = None,
    judging_method: Annotated[
        str | None, typer.Option(help="default, rank or pick-one.", show_default=False)
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(help="default, voting, elimination, role or council.", show_default=False)
    ] = None,
    option: Options = None,
) -> None:
    """Save a consortium. If the name exists, change its models and settings."""
    from parley.modes.consortium.saved import seated, with_count

    named = {
        "confidence_threshold": confidence_threshold,
        "max_iterations": max_iterations,
        "minimum_iterations": min_iterations,
        "system_prompt": system,
        "judging_method": judging_method,
        "strategy": strategy,
    }
    brief = {key: value for key, value in named.items() if value is not None} | settings_of(option)

    async def work(client: "ApiClient") -> str:
        resolve = await model_resolver(client)
        counts: Counter[str] = Counter()
        for entry in model:
            model_id, count = with_count(entry, resolve)
            counts[model_id] += count
        return await _save(client, name, seated(counts, arbiter, resolve), brief)

    say(f"{name}: {_run(settings, work)}.")


@consortium.command(name="list")
@with_settings()
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List the saved consortia."""
    presets = _run(settings, _presets)
    if as_json:
        say_json({"presets": presets})
        return
    for preset in presets:
        say(f"{preset['name']}: {_members(preset)}")
    if not presets:
        say(
            "There are no consortia yet. Save one with: "
            "parley consortium save NAME -m MODEL -m MODEL --arbiter MODEL"
        )


@consortium.command()
@with_settings()
def show(settings: "Settings", name: Name, as_json: JsonOption = False) -> None:
    """Show a consortium with all its settings."""
    preset = _run(settings, lambda client: _find(client, name))
    if as_json:
        say_json(preset)
        return
    say(f"{preset['name']}: {_members(preset)}")
    for key, value in preset["brief"].items():
        say(f"  {key}: {'–' if value is None else value}")


@consortium.command()
@with_settings()
def remove(settings: "Settings", name: Name) -> None:
    """Remove a consortium. Its sessions stay."""

    async def work(client: "ApiClient") -> None:
        preset = await _find(client, name)
        await client.send("DELETE", f"/api/presets/{preset['id']}")

    _run(settings, work)
    say(f"{name}: removed.")


@consortium.command()
@with_settings()
def run(
    settings: "Settings",
    name: Name,
    prompt: PromptArgument = None,
    option: Options = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a consortium. Ctrl-C stops it and saves finished answers."""
    from parley.cli.consortium_run import quote_text, result_text, run_consortium

    question = read_prompt(prompt)
    changed = settings_of(option)

    async def work(client: "ApiClient") -> dict[str, Any]:
        preset = await _find(client, name)
        body = {"prompt": question, "mode": "consortium", "seats": preset["seats"]}
        body["brief"] = {**preset["brief"], **changed}
        say(quote_text(await client.send("POST", "/api/quote", body)), err=True)
        return await run_consortium(client, body)

    result = _run(settings, work)
    if as_json:
        say_json(result)
        return
    say(result["synthesis"]["synthesis"])
    say(f"\n{result_text(result)}", err=True)


@consortium.command(name="import")
@with_settings()
def import_(
    settings: "Settings",
    names: Annotated[list[str] | None, typer.Argument(help="Names to import (default: all).")] = None,
    store: Store = None,
) -> None:
    """Import consortia saved by the llm-consortium plugin. The plugin's store is not changed."""
    import msgspec

    from parley.cli.client import Refused
    from parley.kernel.errors import Invalid
    from parley.modes.consortium.saved import read_saved
    from parley.storage.plugin_store import read_plugin_store

    entries = read_plugin_store(store or _plugin_folder())
    missing = sorted(set(names or ()) - {entry.name for entry in entries})
    if missing:
        raise Invalid("names", f"The store has no consortium “{missing[0]}”.", "Nothing was imported.")
    wanted = [entry for entry in entries if not names or entry.name in names]

    async def work(client: "ApiClient") -> bool:
        resolve, complete = await model_resolver(client), True
        for entry in wanted:
            try:
                saved = read_saved(msgspec.json.decode(entry.config), resolve)
                done = await _save(client, entry.name, saved.seats, saved.brief)
                say(". ".join([f"{entry.name}: {done}", *saved.warnings]))
            except (Invalid, Refused, msgspec.DecodeError) as error:
                complete = False
                name = entry.name if entry.name.strip() else f"“{entry.name}”"
                say(f"{name}: not imported. {error}")
        return complete

    if not wanted:
        say("The store has no consortium.")
    elif not _run(settings, work):
        raise typer.Exit(1)


@consortium.command()
@with_settings()
def export(settings: "Settings", name: Name, store: Store = None) -> None:
    """Save a consortium in the llm-consortium plugin's store, under the same name."""
    from parley.modes.consortium.saved import UNKNOWN_THERE, write_saved
    from parley.storage.plugin_store import write_plugin_store

    preset = _run(settings, lambda client: _find(client, name))
    file = write_plugin_store(store or _plugin_folder(), name, write_saved(preset["seats"], preset["brief"]))
    say(f"{name}: saved in {file}. The plugin uses other model names, so you may need aliases.")
    if (strategy := preset["brief"]["strategy"]) in UNKNOWN_THERE:
        say(f"The plugin has no strategy “{strategy}”. It will use its default.")


def settings_of(options: list[str] | None) -> dict[str, object]:
    """Read KEY=VALUE pairs; a value that is not JSON is text. Raises BadParameter."""
    import msgspec

    read: dict[str, object] = {}
    for option in options or ():
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise typer.BadParameter(
                f"“{option}” must be like confidence_threshold=0.9", param_hint="--option"
            )
        try:
            read[key.strip()] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            read[key.strip()] = value
    return read


def _run(settings: "Settings", work: "Callable[[ApiClient], Awaitable[T]]") -> T:
    from parley.cli.client import ask_server

    return ask_server(settings, work)


async def _presets(client: "ApiClient") -> list[dict[str, Any]]:
    return (await client.get("/api/presets", mode="consortium"))["presets"]


async def _find(client: "ApiClient", name: str) -> dict[str, Any]:
    from parley.kernel.errors import NotFound
    from parley.text.plain_words import did_you_mean

    presets = {preset["name"]: preset for preset in await _presets(client)}
    if name not in presets:
        near = did_you_mean(name, list(presets))
        raise NotFound(f"There is no consortium “{name}”{near}.", "List them with: parley consortium list")
    return presets[name]


async def _save(client: "ApiClient", name: str, seats: dict[str, str], brief: dict[str, object]) -> str:
    """Save a consortium, or change the one with this name; return "saved" or "changed"."""
    existing = {preset["name"]: preset["id"] for preset in await _presets(client)}
    if (preset_id := existing.get(_single_spaced(name))) is not None:
        await client.send("PATCH", f"/api/presets/{preset_id}", {"seats": seats, "brief": brief})
        return "changed"
    body = {"mode": "consortium", "name": name, "seats": seats, "brief": brief}
    await client.send("POST", "/api/presets", body)
    return "saved"


def _members(preset: dict[str, Any]) -> str:
    counts = Counter(model_id for seat, model_id in preset["seats"].items() if seat != "arbiter")
    members = (f"{model_id} × {count}" if count > 1 else model_id for model_id, count in counts.items())
    return f"{', '.join(members)}; arbiter {preset['seats']['arbiter']}"


def _plugin_folder() -> Path:
    from parley.settings_loading import environment
    from parley.storage.plugin_store import plugin_folder

    return plugin_folder(environment())
