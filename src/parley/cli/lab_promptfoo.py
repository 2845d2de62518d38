"""Imports a promptfoo config for `parley lab run`, with the files that it names."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from parley.cli.terminal import say

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

ROUNDS = 4
"""Files may name files, but not for ever."""


def is_config(name: str) -> bool:
    """Return whether a name is that of a promptfoo config: a YAML or JSON file."""
    return name.lower().endswith((".yaml", ".yml", ".json")) and Path(name).is_file()


async def import_config(client: "ApiClient", path: Path, judge: str | None) -> dict[str, Any]:
    """Import a config and say on stderr what is not taken. Raises ParleyError.

    Only files in the config's folder and below are read.
    """
    body: dict[str, Any] = {"text": _text(path.parent, path.name) or "", "file": path.name}
    body |= {"judge": judge} if judge else {}
    files: dict[str, str] = {}
    for _ in range(ROUNDS):
        preview = await client.send("POST", "/api/lab/promptfoo/preview", {**body, "files": files})
        more = {name: text for name in preview["missing"] if (text := _text(path.parent, name)) is not None}
        if not more:
            break
        files |= more
    taken = await client.send("POST", "/api/lab/promptfoo", {**body, "files": files})
    for part in taken["not_taken"]:
        again = f" ({part['count']} times)" if part["count"] > 1 else ""
        place = path if part["file"] == path.name else path.parent / part["file"]
        say(f"{place}:{part['line']}: not taken: {part['text']}{again}", err=True)
    if taken["models"]:
        say(
            f"The config's models ({', '.join(taken['models'])}) are not used: --models names them.", err=True
        )
    return taken


def _text(folder: Path, name: str) -> str | None:
    """Return the text of a file in a folder or below; None if there is none."""
    file = (folder / name).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        return None
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        return None
