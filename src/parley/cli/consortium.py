"""`parley consortium`: saved consortia, run from the terminal, taken from the llm-consortium plugin or given to it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption, ModelsOption
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.visit import Visit

T = TypeVar("T")

consortium = typer.Typer(no_args_is_help=True, help="Several models and an arbiter, saved under a name.")


def _plain(name: str) -> str:
    """Return a name as presets keep it: with single spaces."""
    return " ".join(name.split())


Name = Annotated[str, typer.Argument(help="The consortium's name.", parser=_plain, metavar="NAME")]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store", help="The plugin's file or folder; where llm keeps it otherwise.", show_default=False
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="Any setting of a consortium.", show_default=False
    ),
]


@consortium.callback()
def root() -> None:
    """Take the options that stand before a command of this group."""


@consortium.command()
def save(
    name: Name,
    model: Annotated[
        list[str], typer.Option("--model", "-m", metavar="MODEL[:N]", help="A member, N times.")
    ],
    arbiter: Annotated[str, typer.Option(help="The model that judges.")],
    confidence_threshold: Annotated[str | None, typer.Option(help="0.8, or 80%.", show_default=False)] = None,
    max_iterations: Annotated[int | None, typer.Option(help="Most rounds (3).", show_default=False)] = None,
    min_iterations: Annotated[int | None, typer.Option(help="Fewest rounds (1).", show_default=False)] = None,
    system: Annotated[str | None, typer.Option(help="What every member is told.", show_default=False)] = None,
    judging_method: Annotated[
        str | None, typer.Option(help="default, rank or pick-one.", show_default=False)
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(help="default, voting, elimination, role, council.", show_default=False)
    ] = None,
    option: Options = None,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
) -> None:
    """Save a consortium; one of the same name gets the new models and settings."""
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

    async def work(visit: "Visit") -> str:
        resolve = await _resolver(visit)
        counts: dict[str, int] = {}
        for entry in model:
            bare, count = with_count(entry, resolve)
            counts[bare] = counts.get(bare, 0) + count
        return await _keep(visit, name, seated(counts, arbiter, resolve), brief)

    say(f"{name}: {_visited(work, config, data_dir, models)}.")


@consortium.command(name="list")
def list_(
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the saved consortia."""
    presets = _visited(_presets, config, data_dir, models)
    if as_json:
        _print_json({"presets": presets})
        return
    for preset in presets:
        say(f"{preset['name']}: {_members(preset)}")
    if not presets:
        say("None yet. parley consortium save NAME -m MODEL -m MODEL --arbiter MODEL makes one.")


@consortium.command()
def show(
    name: Name,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a consortium with all its settings."""
    preset = _visited(lambda visit: _named(visit, name), config, data_dir, models)
    if as_json:
        _print_json(preset)
        return
    say(f"{preset['name']}: {_members(preset)}")
    for key, value in preset["brief"].items():
        say(f"  {key}: {'–' if value is None else value}")


@consortium.command()
def remove(
    name: Name,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
) -> None:
    """Remove a consortium; sessions that were begun with it stay."""

    async def work(visit: "Visit") -> None:
        preset = await _named(visit, name)
        await visit.send("DELETE", f"/api/presets/{preset['id']}")

    _visited(work, config, data_dir, models)
    say(f"{name}: removed.")


@consortium.command()
def run(
    name: Name,
    prompt: Annotated[str, typer.Argument(help="The question; - reads it from the input.")],
    option: Options = None,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a consortium; Ctrl-C stops it and keeps what had come."""
    import sys

    from parley.cli.consortium_run import quote_text, result_text, run_consortium

    question = sys.stdin.read() if prompt == "-" else prompt
    changed = settings_of(option)

    async def work(visit: "Visit") -> dict[str, Any]:
        preset = await _named(visit, name)
        asked = {"prompt": question, "mode": "consortium", "seats": preset["seats"]}
        asked["brief"] = {**preset["brief"], **changed}
        quote = await visit.send("POST", "/api/quote", asked)
        say(quote_text(quote), err=True)
        return await run_consortium(visit, asked)

    result = _visited(work, config, data_dir, models)
    if as_json:
        _print_json(result)
        return
    say(result["synthesis"]["synthesis"])
    say(f"\n{result_text(result)}", err=True)


@consortium.command(name="import")
def import_(
    names: Annotated[list[str] | None, typer.Argument(help="Which ones; all otherwise.")] = None,
    store: Store = None,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
) -> None:
    """Take over what the llm-consortium plugin has saved. Its store is only read."""
    import msgspec

    from parley.cli.visit import Refused
    from parley.kernel.errors import Invalid
    from parley.modes.consortium.saved import read_saved
    from parley.storage.plugin_store import read_plugin_store

    entries = read_plugin_store(store or _plugin_folder())
    missing = sorted(set(names or ()) - {entry.name for entry in entries})
    if missing:
        raise Invalid("names", f"The store has no consortium “{missing[0]}”.", "Nothing was imported.")
    wanted = [entry for entry in entries if not names or entry.name in names]

    async def work(visit: "Visit") -> bool:
        resolve, whole = await _resolver(visit), True
        for entry in wanted:
            try:
                taken = read_saved(msgspec.json.decode(entry.config), resolve)
                done = await _keep(visit, entry.name, taken.seats, taken.brief)
                say(". ".join([f"{entry.name}: {done}", *taken.warnings]))
            except (Invalid, Refused, msgspec.DecodeError) as error:
                whole = False
                name = entry.name if entry.name.strip() else f"“{entry.name}”"
                say(f"{name}: not imported. {error}")
        return whole

    if not wanted:
        say("The store has no consortium.")
    elif not _visited(work, config, data_dir, models):
        raise typer.Exit(1)


@consortium.command()
def export(
    name: Name,
    store: Store = None,
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
) -> None:
    """Save a consortium where the llm-consortium plugin finds it, under the same name."""
    from parley.modes.consortium.saved import UNKNOWN_THERE, write_saved
    from parley.storage.plugin_store import write_plugin_store

    preset = _visited(lambda visit: _named(visit, name), config, data_dir, models)
    file = write_plugin_store(store or _plugin_folder(), name, write_saved(preset["seats"], preset["brief"]))
    say(f"{name}: written to {file}. The plugin knows models by its own names: it may need aliases.")
    if (strategy := preset["brief"]["strategy"]) in UNKNOWN_THERE:
        say(f"The plugin has no strategy “{strategy}”; it will use its default one.")


def settings_of(options: list[str] | None) -> dict[str, object]:
    """Read KEY=VALUE as JSON, or as the text it is. Raises BadParameter."""
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


def _visited(
    work: Callable[["Visit"], Awaitable[T]], config: Path | None, data_dir: Path | None, models: Path | None
) -> T:
    from parley.cli.visit import visit
    from parley.settings import load_settings

    settings = load_settings({"config": config, "data_dir": data_dir, "models": models})

    async def visited() -> T:
        async with visit(settings) as there:
            return await work(there)

    return asyncio.run(visited())


async def _presets(visit: "Visit") -> list[dict[str, Any]]:
    return (await visit.get("/api/presets", mode="consortium"))["presets"]


async def _named(visit: "Visit", name: str) -> dict[str, Any]:
    from parley.kernel.errors import NotFound
    from parley.text.plain_words import did_you_mean

    presets = {preset["name"]: preset for preset in await _presets(visit)}
    if name not in presets:
        near = did_you_mean(name, list(presets))
        raise NotFound(f"There is no consortium “{name}”{near}.", "parley consortium list shows them.")
    return presets[name]


async def _keep(visit: "Visit", name: str, seats: dict[str, str], brief: dict[str, object]) -> str:
    """Save a consortium, or change the one of this name; returns which it was."""
    earlier = {preset["name"]: preset["id"] for preset in await _presets(visit)}
    if (known := earlier.get(_plain(name))) is not None:
        await visit.send("PATCH", f"/api/presets/{known}", {"seats": seats, "brief": brief})
        return "changed"
    body = {"mode": "consortium", "name": name, "seats": seats, "brief": brief}
    await visit.send("POST", "/api/presets", body)
    return "saved"


async def _resolver(visit: "Visit") -> Callable[[str], str | None]:
    """Return what finds a model by its id or name, in any case."""
    known: dict[str, str] = {}
    for model in (await visit.get("/api/models"))["models"]:
        known.setdefault(model["name"].casefold(), model["id"])
        known[model["id"].casefold()] = model["id"]
    return lambda name: known.get(name.casefold())


def _members(preset: dict[str, Any]) -> str:
    counts: dict[str, int] = {}
    for seat, model_id in preset["seats"].items():
        if seat != "arbiter":
            counts[model_id] = counts.get(model_id, 0) + 1
    members = ", ".join(
        f"{model_id} × {count}" if count > 1 else model_id for model_id, count in counts.items()
    )
    return f"{members}; arbiter {preset['seats']['arbiter']}"


def _plugin_folder() -> Path:
    from parley.settings import environment
    from parley.storage.plugin_store import plugin_folder

    return plugin_folder(environment())


def _print_json(document: object) -> None:
    say_json(document)
