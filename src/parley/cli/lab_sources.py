"""Prompts and data sets as commands name them: those that are saved, or files."""

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

Prompt = Annotated[
    str, typer.Argument(metavar="PROMPT", help="A prompt's name, or a Markdown file with front matter.")
]


async def prompt_of(client: "ApiClient", name: str) -> tuple[str, int]:
    """Return the id and newest version of a prompt; a file is saved as its next version first."""
    from parley.kernel.errors import NotFound

    prompts = {it["name"]: it for it in (await client.get("/api/prompts"))["prompts"]}
    if name in prompts:
        return prompts[name]["id"], prompts[name]["newest"]
    text = _text_of(name)
    if text is None:
        raise NotFound(f"There is no prompt “{name}”, and no such file.", "List them with: parley lab list")
    detail = await client.send("POST", "/api/prompts/import?replace=true", {"markdown": text})
    return detail["prompt"]["id"], detail["prompt"]["newest"]


async def dataset_of(client: "ApiClient", name: str) -> str:
    """Return the id of a data set; the rows of a file become one under the file's name."""
    from parley.kernel.errors import NotFound

    datasets = {it["name"]: it["id"] for it in (await client.get("/api/lab/datasets"))["datasets"]}
    if name in datasets:
        return datasets[name]
    text, file_name = _text_of(name), PurePath(name).name
    if text is None:
        raise NotFound(f"There is no data set “{name}”, and no such file.", "List them with: parley lab list")
    lines = file_name.lower().endswith((".jsonl", ".ndjson", ".json"))
    body = {"format": "jsonl" if lines else "csv", "text": text}
    dataset_id = datasets.get(file_name)
    if dataset_id is None:
        dataset_id = (await client.send("POST", "/api/lab/datasets", {"name": file_name}))["dataset"]["id"]
    await client.send("PUT", f"/api/lab/datasets/{dataset_id}/file", body)
    return str(dataset_id)


def _text_of(name: str) -> str | None:
    """Return the text of a file; None if there is no such file. Raises Invalid if it can't be read."""
    from parley.kernel.errors import Invalid

    path = Path(name)
    try:
        return path.read_text("utf-8-sig") if path.is_file() else None
    except UnicodeDecodeError:
        raise Invalid("file", f"{name} is not UTF-8 text.", "Nothing was asked. Save it as UTF-8.") from None
    except OSError as error:
        raise Invalid("file", f"Can't read {name[:200]}: {error.strerror}.", "Nothing was asked.") from None
