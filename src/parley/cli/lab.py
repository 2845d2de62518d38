"""`parley lab`: runs a prompt on rows and models, improves it, shows the results, and exports."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.lab_improve import improve, show_improvement
from parley.cli.lab_options import Cap, FirstRows, MinScore, Parallel, Repeats, names_in, numbers_in
from parley.cli.lab_promptfoo import import_config, is_config
from parley.cli.lab_report import passed, quote_line, show_report
from parley.cli.lab_sources import dataset_of, prompt_of
from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

POLL_S = 0.5

lab = typer.Typer(no_args_is_help=True, help="Run and improve prompts on data and models.")

lab.command()(improve)

Prompt = Annotated[
    str,
    typer.Argument(
        metavar="PROMPT",
        help="A prompt's name, a Markdown file with front matter, or a promptfoo config (YAML).",
    ),
]
NamedPrompt = Annotated[str, typer.Argument(metavar="PROMPT", help="A prompt's name.")]


@lab.command(name="list")
@with_settings()
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List prompts, data sets, the newest runs and improvements."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> dict[str, Any]:
        return {
            "prompts": (await client.get("/api/prompts"))["prompts"],
            "datasets": (await client.get("/api/lab/datasets"))["datasets"],
            "runs": (await client.get("/api/lab/runs"))["runs"],
            "improvements": (await client.get("/api/lab/improvements"))["improvements"],
        }

    document = ask_server(settings, work)
    if as_json:
        say_json(document)
        return
    for prompt in document["prompts"]:
        say(f"prompt  {prompt['name']}, v{prompt['newest']}")
    for dataset in document["datasets"]:
        say(f"data    {dataset['name']}, {dataset['rows']} rows")
    for run in document["runs"]:
        say(f"run     {run['id'][:8]}  {run['prompt']}, run {run['number']}: {run['status']}")
    for each in document["improvements"]:
        sentence = f". {each['result']['sentence']}" if each["result"] else ""
        say(
            f"improve {each['id'][:8]}  {each['prompt']}, improvement {each['number']}: {each['status']}{sentence}"
        )
    if not any(document.values()):
        say("The Prompt Lab is empty. Start with: parley lab run prompt.md --data rows.csv --models a,b,c")


@lab.command()
@with_settings(models=False)
def run(
    settings: "Settings",
    prompt: Prompt,
    models: Annotated[str, typer.Option("--models", "-m", metavar="A,B,C", help="The models' ids.")],
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            "-d",
            help="A data set's name, or a CSV or JSON Lines file with rows. A promptfoo config has its own.",
            show_default=False,
        ),
    ] = None,
    versions: Annotated[
        str | None,
        typer.Option(metavar="1,2", help="The prompt's versions (default: the newest).", show_default=False),
    ] = None,
    repeats: Repeats = 1,
    rows: FirstRows = None,
    cap: Cap = None,
    parallel: Parallel = 8,
    min_score: MinScore = None,
    judge: Annotated[
        str | None,
        typer.Option(help="The model that judges llm-rubrics of a promptfoo config.", show_default=False),
    ] = None,
    quote: Annotated[bool, typer.Option("--quote", help="Show the quote and ask nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a prompt on rows and models. Asks only what is not recorded. Ctrl-C pauses; the same command resumes.

    Exits with 1 if an answer is missing. A promptfoo config: also if a check failed.
    """
    from parley.cli.client import ask_server

    options: dict[str, Any] = {"models": names_in(models, "--models")}
    if versions is not None:
        options["versions"] = numbers_in(versions, "--versions")
    if judge is not None and not is_config(prompt):
        raise typer.BadParameter("only a promptfoo config takes it.", param_hint="'--judge'")

    async def work(client: "ApiClient") -> dict[str, Any]:
        prompt_id, plan = await _plan_of(client, prompt, data, judge)
        plan |= {**options, "repeats": repeats, "parallel": parallel}
        plan |= {"first_rows": rows} if rows else {}
        quoted = await client.send("POST", f"/api/prompts/{prompt_id}/quote", plan)
        if quote:
            return quoted
        say(quote_line(quoted), err=True)
        started = await client.send("POST", f"/api/prompts/{prompt_id}/runs", {**plan, "cap_usd": cap})
        await _follow(client, started["id"])
        return await client.get(f"/api/lab/runs/{started['id']}/report")

    document = ask_server(settings, work)
    if quote:
        say_json(document) if as_json else say(quote_line(document))
        return
    show_report(document, as_json=as_json)
    if not passed(document, min_score, every_check=is_config(prompt)):
        raise typer.Exit(1)


@lab.command()
@with_settings(models=False)
def show(
    settings: "Settings",
    experiment: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a run or an improvement, or its beginning.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Show a run or an improvement: its figures, what it found, and the answers that failed a check."""
    from parley.cli.client import ask_server
    from parley.kernel.errors import Invalid, NotFound

    async def work(client: "ApiClient") -> tuple[str, dict[str, Any]]:
        paths: list[str] = []
        for noun in ("runs", "improvements"):
            listed = (await client.get(f"/api/lab/{noun}"))[noun]
            paths += [f"/api/lab/{noun}/{it['id']}" for it in listed if it["id"].startswith(experiment)]
        if not paths:
            raise NotFound(
                f"There is no run or improvement “{experiment}”.", "List them with: parley lab list"
            )
        if len(paths) > 1:
            raise Invalid("id", f"{len(paths)} ids begin with “{experiment}”.", "Type more of it.")
        (path,) = paths
        of_run = path.startswith("/api/lab/runs/")
        return (
            ("run", await client.get(f"{path}/report")) if of_run else ("improvement", await client.get(path))
        )

    kind, document = ask_server(settings, work)
    (show_report if kind == "run" else show_improvement)(document, as_json=as_json)


@lab.command()
@with_settings(models=False)
def export(
    settings: "Settings",
    prompt: NamedPrompt,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    data: Annotated[str, typer.Option("--data", "-d", help="The name of the data set with its tests.")],
    version: Annotated[
        int | None, typer.Option(help="The prompt's version (default: the newest).", show_default=False)
    ] = None,
) -> None:
    """Write a prompt with its checks and data as a promptfoo config. Never replaces a file."""
    from parley.cli.client import ask_server
    from parley.kernel.errors import Invalid, NotFound

    if file.exists():
        raise Invalid("file", f"{file} exists already.", "Nothing was written. Name another file.")

    async def work(client: "ApiClient") -> None:
        prompts = {it["name"]: it["id"] for it in (await client.get("/api/prompts"))["prompts"]}
        datasets = {it["name"]: it["id"] for it in (await client.get("/api/lab/datasets"))["datasets"]}
        for kind, name, known in (("prompt", prompt, prompts), ("data set", data, datasets)):
            if name not in known:
                raise NotFound(f"There is no {kind} “{name}”.", "List them with: parley lab list")
        query = {"dataset": datasets[data]} | ({"version": str(version)} if version else {})
        await client.download(f"/api/prompts/{prompts[prompt]}/promptfoo", file, **query)

    ask_server(settings, work)
    say(f"Exported “{prompt}” and “{data}” to {file}.")


async def _plan_of(
    client: "ApiClient", prompt: str, data: str | None, judge: str | None
) -> tuple[str, dict[str, Any]]:
    """Return a prompt's id, and its versions and data set as a plan; files are imported first."""
    from parley.kernel.errors import Invalid, NotFound

    if is_config(prompt):
        taken = await import_config(client, Path(prompt), judge)
        dataset = taken["dataset_id"] if data is None else await dataset_of(client, data)
        return taken["prompt_id"], {"versions": taken["versions"], "dataset": dataset}
    if data is None and prompt.lower().endswith((".yaml", ".yml")):
        raise NotFound(f"There is no file “{prompt}”.", "Name a promptfoo config.")
    if data is None:
        raise Invalid("data", "Name the rows to run on with --data.", "List data sets with: parley lab list")
    prompt_id, newest = await prompt_of(client, prompt)
    return prompt_id, {"versions": [newest], "dataset": await dataset_of(client, data)}


async def _follow(client: "ApiClient", run_id: str) -> None:
    """Show the progress until the run ends; pause it if the command is interrupted."""
    from parley.cli.file_progress import file_progress

    try:
        with file_progress("Run") as report:
            while True:
                run = await client.get(f"/api/lab/runs/{run_id}")
                progress = run["progress"]
                done = progress["completed"] + progress["failed"]
                failed = f", {progress['failed']} failed" if progress["failed"] else ""
                words = f"{done} of {progress['cells']} calls{failed}, ${run['spent_usd']:.4f}"
                report(words, done / max(1, progress["cells"]))
                if run["status"] != "running":
                    return
                await asyncio.sleep(POLL_S)
    except asyncio.CancelledError:
        await client.send("POST", f"/api/lab/runs/{run_id}/pause")
        say("Paused. Recorded answers are saved. Run the command again to go on.", err=True)
        raise
