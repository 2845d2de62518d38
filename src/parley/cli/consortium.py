"""`parley consortium`: saves and runs consortia, and exchanges them with the llm-consortium plugin."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.model_names import model_resolver
from parley.cli.options import JsonOption, with_settings
from parley.cli.prompts import PromptArgument, read_prompt
from parley.cli.saved_presets import (
    Contestant,
    Name,
    Options,
    Preset,
    PresetKind,
    add_commands,
    carry_out,
    find_preset,
    request_to,
    save_preset,
    settings_of,
)
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

consortium = typer.Typer(no_args_is_help=True, help="Run and save consortia: several models and an arbiter.")


Store = Annotated[
    Path | None,
    typer.Option("--store", help="The plugin's file or folder (default: llm's).", show_default=False),
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
    contestant: Contestant = None,
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
        return await save_preset(client, KIND, name, seated(counts, arbiter, resolve), brief, contestant)

    say(f"{name}: {carry_out(settings, work)}.")


def _members(preset: Preset) -> str:
    counts = Counter(model_id for seat, model_id in preset["seats"].items() if seat != "arbiter")
    members = (f"{model_id} × {count}" if count > 1 else model_id for model_id, count in counts.items())
    return f"{', '.join(members)}; arbiter {preset['seats']['arbiter']}"


KIND = PresetKind(
    mode="consortium",
    several="consortia",
    line=_members,
    first="parley consortium save NAME -m MODEL -m MODEL --arbiter MODEL",
)
add_commands(consortium, KIND)


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
    from parley.cli.consortium_run import result_text, run_consortium

    question = read_prompt(prompt)
    changed = settings_of(option)

    async def work(client: "ApiClient") -> dict[str, Any]:
        return await run_consortium(client, await request_to(client, KIND, name, question, changed))

    result = carry_out(settings, work)
    if as_json:
        say_json(result)
        return
    say(result["synthesis"]["synthesis"])
    say(f"\n{result_text(result)}", err=True)


@consortium.command(name="import")
@with_settings()
def import_(
    settings: "Settings",
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Names to import (default: all).")
    ] = None,
    store: Store = None,
) -> None:
    """Import consortia saved by the llm-consortium plugin. The plugin's store is not changed."""
    import msgspec

    from parley.cli.client import Refused
    from parley.kernel.errors import Invalid
    from parley.modes.consortium.saved import read_saved
    from parley.storage.plugin_store import read_plugin_store

    entries = read_plugin_store(store) if store else read_plugin_store(_plugin_folder(), _llm_folder())
    missing = sorted(set(names or ()) - {entry.name for entry in entries})
    if missing:
        raise Invalid("names", f"The store has no consortium “{missing[0]}”.", "Nothing was imported.")
    wanted = [entry for entry in entries if not names or entry.name in names]

    async def work(client: "ApiClient") -> bool:
        resolve, complete = await model_resolver(client), True
        for entry in wanted:
            try:
                saved = read_saved(msgspec.json.decode(entry.config), resolve)
                done = await save_preset(client, KIND, entry.name, saved.seats, saved.brief)
                say(". ".join([f"{entry.name}: {done}", *saved.warnings]))
            except (Invalid, Refused, msgspec.DecodeError) as error:
                complete = False
                name = entry.name if entry.name.strip() else f"“{entry.name}”"
                say(f"{name}: not imported. {error}")
        return complete

    if not wanted:
        say("The store has no consortium.")
    elif not carry_out(settings, work):
        raise typer.Exit(1)


@consortium.command()
@with_settings()
def export(settings: "Settings", name: Name, store: Store = None) -> None:
    """Save a consortium in the llm-consortium plugin's store, and make its models known to llm."""
    from parley.cli.consortium_export import known_to_llm
    from parley.features.catalog.opening import read_catalog
    from parley.modes.consortium.saved import UNKNOWN_THERE, write_saved
    from parley.storage.plugin_models import FILE, add_plugin_models
    from parley.storage.plugin_store import write_plugin_store

    preset = carry_out(settings, lambda client: find_preset(client, KIND, name))
    catalog = asyncio.run(read_catalog(settings))
    known = known_to_llm(catalog, preset["seats"].values())
    seats = {seat: known.names[model_id] for seat, model_id in preset["seats"].items()}
    file = write_plugin_store(store or _plugin_folder(), name, write_saved(seats, preset["brief"]))
    say(f"{name}: saved in {file}.")
    folder = _llm_folder()
    for model in add_plugin_models(folder, known.listed) if store is None else []:
        say(f"{model.model_id}: added to {folder / FILE}.")
    for key in dict.fromkeys(model.api_key_name for model in known.listed if model.api_key_name):
        say(f"Give llm the key of {key}: llm keys set {key}")
    if known.unknown:
        say(f"llm can't reach {', '.join(known.unknown)}, so the plugin gets no answer from them.")
    if (strategy := preset["brief"]["strategy"]) in UNKNOWN_THERE:
        say(f"The plugin has no strategy “{strategy}”. It will use its default.")


def _plugin_folder() -> Path:
    from parley.settings_loading import environment
    from parley.storage.plugin_store import plugin_folder

    return plugin_folder(environment())


def _llm_folder() -> Path:
    from parley.settings_loading import environment
    from parley.storage.plugin_store import llm_folder

    return llm_folder(environment())
