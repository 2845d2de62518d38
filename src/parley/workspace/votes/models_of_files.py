"""Which model a name in a file stands for: one of the catalog, one that was, or a new retired one."""

import hashlib
import re
from collections.abc import Iterable, Mapping

import msgspec

from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.workspace.catalog.memory import IMPORTED

NEW_MAX = 5_000
NAME_CHARS = 200

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_OTHER = re.compile(r"[^a-z0-9._-]+")


class MappedModel(msgspec.Struct, frozen=True, kw_only=True):
    """What a name in the file became. `new`: nobody knew it, so it stands among the retired models now."""

    name: str
    model_id: str
    new: bool


class ModelNames:
    """Finds models by id, then by name, then by a provider's name: exactly as written, in the catalog's order."""

    def __init__(self, known: Mapping[str, Iterable[str]]) -> None:
        self._taken = set(known)
        self._by_name: dict[str, str] = {}
        for model_id, names in known.items():
            for name in names:
                self._by_name.setdefault(name, model_id)
        self._by_name |= {model_id: model_id for model_id in known}
        self.mapped: dict[str, MappedModel] = {}
        """By the name as the file has it."""
        self.cards: list[ModelCard] = []
        """Those that nobody knew."""

    def resolve(self, name: str, described: Mapping[str, object] | None = None) -> str:
        """Return a model's id. Raises ValueError with words for a name that cannot be one.

        `described` may tell name, organization and license of a model that nobody knows.
        """
        found = self.mapped.get(name)
        if found is None:
            found = self._map(name, described or {})
            self.mapped[name] = found
        return found.model_id

    def _map(self, name: str, described: Mapping[str, object]) -> MappedModel:
        if (model_id := self._by_name.get(name)) is not None:
            return MappedModel(name=name, model_id=model_id, new=False)
        if len(name) > NAME_CHARS:
            raise ValueError(f"is a name of {len(name)} characters; at most {NAME_CHARS} are possible")
        if not name.isprintable():
            raise ValueError("holds characters that cannot be printed")
        if len(self.cards) >= NEW_MAX:
            raise Invalid("file", f"The file names more than {NEW_MAX:,} models that nobody knows.")
        model_id = self._new_id(name)
        self._taken.add(model_id)
        self.cards.append(_card(model_id, name, described))
        return MappedModel(name=name, model_id=model_id, new=True)

    def _new_id(self, name: str) -> str:
        """Return the name as an id; with a few digits of its hash where that is not the name itself and is taken."""
        plain = _OTHER.sub("-", name.lower()).strip("-._")[:64]
        if _ID.fullmatch(plain) and plain not in self._taken:
            return plain
        digits = hashlib.sha256(name.encode()).hexdigest()[:12]
        return f"{plain[:51]}-{digits}".lstrip("-")


def _card(model_id: str, name: str, described: Mapping[str, object]) -> ModelCard:
    def told(field: str, otherwise: str) -> str:
        value = described.get(field)
        return value[:NAME_CHARS] if isinstance(value, str) and value.isprintable() and value else otherwise

    return ModelCard(
        id=model_id,
        name=told("name", name),
        organization=told("organization", "Unknown"),
        family=told("family", ""),
        license=told("license", "Unknown"),
        kind="single",
        capabilities=("text",),
        tags=(IMPORTED,),
        context_window=None,
        prices=None,
        description=None,
        provider=None,
        local=False,
        demo=False,
        enabled=False,
    )
