"""The models that `llm` reaches by address: its file `extra-openai-models.yaml`, which exported consortia need."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from parley.kernel.errors import Unavailable
from parley.text.located_yaml import LocatedError, as_list, as_mapping, parse_yaml

FILE = "extra-openai-models.yaml"


class PluginModel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model as `llm` lists it. `api_key_name` is the name under which `llm keys set` saves its key."""

    model_id: str
    model_name: str
    api_base: str
    api_key_name: str | None = None


def add_plugin_models(folder: Path, models: Sequence[PluginModel]) -> list[PluginModel]:
    """Add the models that the file does not have; return those. What is there stays, comments too.

    Raises Unavailable; the file is as it was then.
    """
    file = folder / FILE
    try:
        before = file.read_text("utf-8") if file.is_file() else ""
        listed = {str((as_mapping(each) or {}).get("model_id")) for each in _entries(before)}
        missing = [model for model in models if model.model_id not in listed]
        lines = [f"- {msgspec.json.encode(model).decode()}\n" for model in missing]
        text = before if not before or before.endswith("\n") else f"{before}\n"
        _entries(text := text + "".join(lines))
        if missing:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    except (OSError, UnicodeDecodeError, ValueError, LocatedError) as error:
        raise Unavailable(
            f"{file} can't be extended: {error}.",
            "It was not changed, so “llm” may not know the consortium's models. Check that it is a list of models.",
            code="no_plugin_store",
        ) from None
    return missing


def _entries(text: str) -> list[object]:
    """Return the entries of the file. Raises ValueError if it is no list, LocatedError if it can't be read."""
    document = parse_yaml(text, {}).data
    entries = as_list([] if document is None else document)
    if entries is None:
        raise ValueError("it is not a list")
    return entries
