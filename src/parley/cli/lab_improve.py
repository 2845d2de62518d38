"""`parley lab improve`: searches for a better prompt, and says how much better it is on unseen rows."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parley.cli.lab_options import Cap, Parallel, Target
from parley.cli.lab_sources import Prompt, dataset_of, prompt_of
from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

POLL_S = 0.5

OPEN = ("paused", "capped", "failed", "cancelled")
"""The states of a search that can go on."""


@with_settings(models=False)
def improve(
    settings: "Settings",
    prompt: Prompt,
    data: Annotated[
        str, typer.Option("--data", "-d", help="A data set's name, or a CSV or JSON Lines file with rows.")
    ],
    model: Annotated[str, typer.Option("--model", "-m", help="The id of the model that answers.")],
    reflector: Annotated[
        str | None,
        typer.Option(help="The id of the model that rewrites (default: the same).", show_default=False),
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(min=1, help="The version to begin with (default: the newest).", show_default=False),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help="The most answers of the search (default: twice the least).",
            show_default=False,
        ),
    ] = None,
    patience: Annotated[
        int, typer.Option(min=1, max=1000, help="Stop after so many attempts without success.")
    ] = 10,
    target: Target = 100,
    cap: Cap = None,
    parallel: Parallel = 8,
    save: Annotated[bool, typer.Option("--save", help="Save a better prompt as the next version.")] = False,
    quote: Annotated[bool, typer.Option("--quote", help="Show the quote and ask nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Search for a better prompt and measure it on unseen rows. Ctrl-C pauses; the same command resumes."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> dict[str, Any]:
        prompt_id, newest = await prompt_of(client, prompt)
        plan: dict[str, Any] = {
            "version": version or newest,
            "model": model,
            "reflector": reflector or model,
            "dataset": await dataset_of(client, data),
            "answers": answers,
            "patience": patience,
            "target": target / 100,
            "parallel": parallel,
        }
        quoted = await client.send("POST", f"/api/prompts/{prompt_id}/improvements/quote", plan)
        if quote:
            return quoted
        say(_quote_line(quoted), err=True)
        search_id = await _begun(client, prompt_id, {**plan, "answers": quoted["answers"]}, cap)
        await _follow(client, search_id)
        detail = await client.get(f"/api/lab/improvements/{search_id}")
        result = detail["improvement"]["result"]
        if save and result is not None and result["rows"]:
            saved = await client.send("POST", f"/api/lab/improvements/{search_id}/save", {})
            say(f"Saved as v{saved['prompt']['newest']}.", err=True)
        return detail

    document = ask_server(settings, work)
    if quote:
        say_json(document) if as_json else say(_quote_line(document))
        return
    show_improvement(document, as_json=as_json)
    if document["improvement"]["status"] != "completed":
        raise typer.Exit(1)


async def _begun(client: "ApiClient", prompt_id: str, plan: dict[str, Any], cap: float | None) -> str:
    """Return the id of a search with this plan: one that stopped before its end goes on."""
    for each in (await client.get(f"/api/lab/improvements?prompt={prompt_id}"))["improvements"]:
        same = {**each["plan"], "dataset": each["plan"]["dataset_id"]}
        if each["status"] in OPEN and all(same[name] == value for name, value in plan.items()):
            path = f"/api/lab/improvements/{each['id']}/resume"
            return str((await client.send("POST", path, {"cap_usd": cap}))["id"])
    started = await client.send("POST", f"/api/prompts/{prompt_id}/improvements", {**plan, "cap_usd": cap})
    return str(started["id"])


async def _follow(client: "ApiClient", search_id: str) -> None:
    """Show the progress until the search ends; pause it if the command is interrupted."""
    from parley.cli.file_progress import file_progress

    try:
        with file_progress("Improve") as report:
            while True:
                view = (await client.get(f"/api/lab/improvements/{search_id}"))["improvement"]
                report(*_progress(view))
                if view["status"] != "running":
                    return
                await asyncio.sleep(POLL_S)
    except asyncio.CancelledError:
        await client.send("POST", f"/api/lab/improvements/{search_id}/pause")
        say("Paused. Recorded answers are saved. Run the command again to go on.", err=True)
        raise


def _progress(view: dict[str, Any]) -> tuple[str, float]:
    """Return the progress of a search in words, and as a share of the most that it asks for."""
    progress = view["progress"]
    best = "" if progress["best_score"] is None else f", best {progress['best_score'] * 100:.1f}"
    words = (
        f"{progress['answers']} of at most {progress['most_answers']} answers{best}, ${view['spent_usd']:.4f}"
    )
    if progress["measured"]:
        words = f"{progress['measured']} of {progress['to_measure']} measured{best}, ${view['spent_usd']:.4f}"
    everything = progress["most_answers"] + progress["to_measure"]
    return words, (progress["answers"] + progress["measured"]) / max(1, everything)


def _quote_line(quote: dict[str, Any]) -> str:
    money = f"${quote['cost_usd_least']:.4f} to ${quote['cost_usd_most']:.4f}"
    unpriced = f", without {', '.join(quote['unpriced'])} (no prices)" if quote["unpriced"] else ""
    calls = (
        f"At most {quote['calls']} calls: {quote['answers']} answers, {quote['holdout_answers']} to measure"
    )
    rewrites = f"{calls}, {quote['reflections']} rewrites. "
    return f"{rewrites}Quote {money}{unpriced}, up to {max(1, round(quote['seconds']))} s."


def show_improvement(detail: dict[str, Any], *, as_json: bool) -> None:
    """Print a search: its candidates, its result in a sentence, and the best text."""
    if as_json:
        say_json(detail)
        return
    view = detail["improvement"]
    say(f"{view['prompt']}, improvement {view['number']}: {view['status']}")
    for each in detail["candidates"]:
        origin = f" from {', '.join(map(str, each['parents']))}" if each["parents"] else ""
        best = ", best" if each["state"] == "best" else ""
        name = (
            f"first prompt, v{each['version']}" if each["state"] == "first" else f"candidate {each['number']}"
        )
        say(f"  {each['score'] * 100:5.1f}  {name}{origin}{best}")
    if view["result"] is not None:
        say(view["result"]["sentence"])
    best_text = next((it for it in detail["candidates"] if it["state"] == "best"), None)
    if best_text is not None:
        for message in best_text["messages"]:
            say(f"\n# {message['role']}\n{message['text']}")
    if view["problem"] is not None:
        say(f"{view['problem']['title']} {view['problem'].get('detail') or ''}".strip(), err=True)
