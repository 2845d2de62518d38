"""Models named in vote files: those of the catalog, retired ones, and new ones that become retired."""

import hashlib
import re
from collections.abc import Iterable, Mapping

import msgspec

from parley.features.catalog.service import IMPORTED, retired_card
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard

NEW_MAX = 5_000
NAME_CHARS = 200

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_OTHER = re.compile(r"[^a-z0-9._-]+")


class MappedModelView(msgspec.Struct, frozen=True, kw_only=True):
    """The model that a name in a file stands for. `new`: the name is unknown, so it becomes a retired model."""

    name: str
    model_id: str
    new: bool


class ModelNames:
    """Finds models by id, then name, then a provider's name: exactly as written, in the catalog's order."""

    def __init__(self, known: Mapping[str, Iterable[str]]) -> None:
        """`known` are the names of each model by its id."""
        self._taken = set(known)
        self._by_name: dict[str, str] = {}
        for model_id, names in known.items():
            for name in names:
                self._by_name.setdefault(name, model_id)
        self._by_name |= {model_id: model_id for model_id in known}
        self.mapped: dict[str, MappedModelView] = {}
        """By the name in the file."""
        self.cards: list[ModelCard] = []
        """New models."""

    def find(self, name: str) -> str | None:
        """Return the id of a model that is known by this name."""
        return self._by_name.get(name)

    def resolve(self, name: str, described: Mapping[str, object] | None = None) -> str:
        """Return a model's id, a new one for an unknown name. Raises ValueError for a name that cannot be one.

        `described` may give name, organization and license of a new model.
        """
        model_id = self.mapped.get(name)
        if model_id is None:
            model_id = self.mapped[name] = self._map(name, described or {})
        return model_id.model_id

    def _map(self, name: str, described: Mapping[str, object]) -> MappedModelView:
        if (model_id := self._by_name.get(name)) is not None:
            return MappedModelView(name=name, model_id=model_id, new=False)
        if len(name) > NAME_CHARS:
            raise ValueError(f"has {len(name)} characters; the limit is {NAME_CHARS}")
        if not name.isprintable():
            raise ValueError("has characters that can't be printed")
        if len(self.cards) >= NEW_MAX:
            raise Invalid("file", f"The file names more than {NEW_MAX:,} unknown models.")
        model_id = self._new_id(name)
        self._taken.add(model_id)
        self.cards.append(_card(model_id, name, described))
        return MappedModelView(name=name, model_id=model_id, new=True)

    def _new_id(self, name: str) -> str:
        """Return the name as an id, with digits of its hash where the plain id is invalid or taken."""
        plain = _OTHER.sub("-", name.lower()).strip("-._")[:64]
        if _ID.fullmatch(plain) and plain not in self._taken:
            return plain
        digits = hashlib.sha256(name.encode()).hexdigest()[:12]
        return f"{plain[:51]}-{digits}".lstrip("-")


def _card(model_id: str, name: str, described: Mapping[str, object]) -> ModelCard:
    fields = {
        key: value[:NAME_CHARS]
        for key in ("name", "organization", "family", "license")
        if isinstance(value := described.get(key), str) and value.isprintable() and value
    }
    card = retired_card(model_id, name)
    return msgspec.structs.replace(
        card,
        **fields,
        known_from={fact: source for fact, source in card.known_from.items() if fact not in fields},
        capabilities=("text",),
        tags=(IMPORTED,),
    )
