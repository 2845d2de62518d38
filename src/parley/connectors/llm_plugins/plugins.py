"""Loading llm's plugins one by one: one that breaks is named and skipped."""

import importlib.metadata
import logging
import threading
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

log = logging.getLogger(__name__)

GROUP: Final = "llm"
"""The entry points of llm's plugins."""


@dataclass(frozen=True)
class LlmModel:
    """A model of a plugin, in the forms that it has; at least one."""

    model_id: str
    blocking: Any = None
    asynchronous: Any = None


@dataclass(frozen=True)
class LlmModels:
    """All models by id and by alias, and which plugins were skipped, with the reason."""

    by_name: dict[str, LlmModel]
    ids: tuple[str, ...]
    skipped: tuple[str, ...]


_loading = threading.Lock()


def load_models() -> LlmModels:
    """Return the models of all plugins; the first call imports them. Raises ImportError without llm.

    Imports anything that plugins do: not on the event loop.
    """
    with _loading:
        return _load()


@cache
def _load() -> LlmModels:
    skipped: list[str] = []
    manager = _load_plugins(skipped)
    models: list[LlmModel] = []
    by_name: dict[str, LlmModel] = {}
    for hook in reversed(manager.hook.register_models.get_hookimpls()):
        offered: list[tuple[LlmModel, tuple[str, ...]]] = []

        def register(model: Any, async_model: Any = None, aliases: Any = None, into: Any = offered) -> None:
            model_id = str((model or async_model).model_id)
            into.append((LlmModel(model_id, model, async_model), tuple(map(str, aliases or ()))))

        options: dict[str, Any] = {"register": register, "model_aliases": []}
        try:
            hook.function(**{name: options[name] for name in hook.argnames})
        except (Exception, SystemExit) as error:  # noqa: BLE001 - plugins raise whatever they like
            manager.unregister(hook.plugin)
            _skip(skipped, hook.plugin_name, error)
            continue
        for model, aliases in offered:
            models.append(model)
            for name in (model.model_id, *aliases):
                by_name.setdefault(name, model)
    return LlmModels(by_name, tuple(dict.fromkeys(model.model_id for model in models)), tuple(skipped))


def _load_plugins(skipped: list[str]) -> Any:
    """Register every plugin and return llm's plugin manager. llm itself would stop at the first that breaks."""
    plugins: Any = import_module("llm.plugins")
    own = [(name, lambda name=name: import_module(name)) for name in plugins.DEFAULT_PLUGINS]
    installed = [(entry.name, entry.load) for entry in importlib.metadata.entry_points(group=GROUP)]
    plugins._loaded = True  # noqa: SLF001 - it must not load them again, all or none
    for name, load in (*own, *installed):
        if plugins.pm.has_plugin(name):
            continue
        try:
            plugins.pm.register(load(), name=name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - plugins raise whatever they like
            _skip(skipped, name, error)
    return plugins.pm


def _skip(skipped: list[str], plugin: str, error: BaseException) -> None:
    log.warning("The llm plugin %s was skipped.", plugin, exc_info=error)
    skipped.append(f"{plugin} ({type(error).__name__}: {error})")
