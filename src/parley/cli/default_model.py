"""The model that answers `parley ask` when none is named: asked for once, then kept in the data folder."""

from typing import TYPE_CHECKING, Any

from parley.cli.terminal import say
from parley.cli.typed import can_ask, typed_line
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from pathlib import Path

    from parley.cli.client import ApiClient
    from parley.settings import Settings

FILE = "default-model.txt"
MOST_LISTED = 20
HOW_TO_SET = "Name one with --model, or choose one for good: parley models default MODEL"


def keep_default(settings: "Settings", model_id: str) -> None:
    """Keep a model as the default."""
    _file(settings).write_text(f"{model_id}\n", encoding="utf-8")


def read_default(settings: "Settings") -> str | None:
    """Return the id of the default model, whether or not it still exists; None if there is none."""
    try:
        return _file(settings).read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


async def default_model(client: "ApiClient", settings: "Settings") -> str:
    """Return the default model's id; ask for it in a terminal if there is none. Raises Invalid elsewhere."""
    from parley.kernel.errors import Invalid

    models: list[dict[str, Any]] = [
        model
        for model in (await client.get("/api/models"))["models"]
        if model["enabled"] and "text" in model["capabilities"]
    ]
    if not models:
        raise Invalid(
            "model",
            "There is no model to ask.",
            "Nothing was sent. Add one: parley providers add --help",
            code="no_model",
        )
    # The one that was chosen on the page for new chats serves the terminal too, until it has its own.
    current = read_default(settings) or (await client.get("/api/preferences"))["model"]
    if any(model["id"] == current for model in models):
        return str(current)
    gone = f"The default model “{in_one_line(current)}” is not available." if current else ""
    if not can_ask():
        title = gone or "No model is named, and there is no default model."
        raise Invalid("model", title, f"Nothing was sent. {HOW_TO_SET}", code="no_default_model")
    model_id = await _chosen(models, gone)
    keep_default(settings, model_id)
    return model_id


async def _chosen(models: list[dict[str, Any]], gone: str) -> str:
    """Ask until a line is a number or names a model. Raises Invalid at the end of the input."""
    from parley.kernel.errors import Invalid
    from parley.text.plain_words import did_you_mean

    say(f"{gone} Choose a default model for “parley ask”.".strip(), err=True)
    for number, model in enumerate(models[:MOST_LISTED], 1):
        say(f"  {number:>2}  {in_one_line(model['name'])} ({model['id']})", err=True)
    if len(models) > MOST_LISTED:
        say(f"      and {len(models) - MOST_LISTED} more (parley models)", err=True)
    by_name = {model[field].casefold(): str(model["id"]) for field in ("name", "id") for model in models}
    while True:
        say("Number, name or id [1]: ", err=True, nl=False)
        line = await typed_line()
        word = line.strip()
        if not line:
            raise Invalid(
                "model", "No model was chosen.", f"Nothing was sent. {HOW_TO_SET}", code="no_default_model"
            )
        if word.isdecimal() or not word:
            place = int(word or 1) - 1
            if 0 <= place < len(models):
                return _said(models[place]["id"])
        if model_id := by_name.get(word.casefold()):
            return _said(model_id)
        say(f"There is no model “{in_one_line(word)}”{did_you_mean(word.casefold(), by_name)}.", err=True)


def _said(model_id: str) -> str:
    say(f"{model_id} answers from now on. To change it: parley models default MODEL\n", err=True)
    return model_id


def _file(settings: "Settings") -> "Path":
    return settings.data_dir / FILE
