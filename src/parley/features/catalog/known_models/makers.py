"""The makers and families of models, told from their names by `makers.toml`."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from parley.features.catalog.known_models.effort import takes_effort
from parley.features.catalog.known_models.friendly import friendly_name
from parley.features.catalog.known_models.spelling import Spelling, spelling_of
from parley.kernel.models import Capability


class NameFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that a model's name tells; empty is unknown. `abilities` are those of a hosted model."""

    name: str = ""
    organization: str = ""
    family: str = ""
    license: str = ""
    abilities: tuple[Capability, ...] = ()


NOTHING_KNOWN = NameFacts()


class _Maker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    also: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()


class _Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    maker: str
    match: str
    name: str = ""
    license: str = ""
    based: bool = False
    abilities: tuple[Capability, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    not_makers: tuple[str, ...]
    derived: tuple[str, ...]
    maker: tuple[_Maker, ...]
    family: tuple[_Family, ...]


class _Makers:
    """The data file, ready to match."""

    def __init__(self, data: _File) -> None:
        self.names = tuple(maker.name for maker in data.maker)
        self.not_makers = frozenset(_plain(name) for name in data.not_makers)
        self.spellings = {
            _plain(text): maker.name for maker in data.maker for text in (maker.name, *maker.also)
        }
        self.owners = {owner: maker.name for maker in data.maker for owner in maker.owner}
        self.families = [(re.compile(rf"(?:{family.match})"), family) for family in data.family]
        bases = [family for family in data.family if family.name and not family.based]
        self.bases = [(re.compile(rf"(?<![a-z0-9.])(?:{base.match})"), base) for base in bases]
        words = "|".join(data.derived)
        self.derived = re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])")

    def family_at_start(self, name: str) -> tuple[_Family, str] | None:
        """Return the family whose names begin like this one, and the rest of the name."""
        for pattern, family in self.families:
            if match := pattern.match(name):
                return family, name[match.end() :]
        return None

    def base_within(self, name: str) -> _Family | None:
        """Return the family that a name mentions, the first of several."""
        matches = [(match.start(), base) for pattern, base in self.bases if (match := pattern.search(name))]
        return min(matches, key=lambda place: place[0])[1] if matches else None


@cache
def _makers() -> _Makers:
    text = (files("parley.features.catalog.known_models") / "makers.toml").read_text("utf-8")
    return _Makers(msgspec.convert(tomllib.loads(text), _File))


def maker_names() -> tuple[str, ...]:
    """Return the names of all known makers."""
    return _makers().names


def maker_of(text: str | None) -> str:
    """Return a maker as people say it, from what a server calls it; empty for what is no maker."""
    plain = _plain(text or "")
    makers = _makers()
    if not plain or plain in makers.not_makers:
        return ""
    return makers.spellings.get(plain, (text or "").strip())


@lru_cache(maxsize=4096)
def facts_of_name(model: str) -> NameFacts:
    """Return the facts that a model's name or id tells, in any of its spellings; what is not certain is empty."""
    makers, spelling = _makers(), spelling_of(model)
    name, prefix = spelling.name, ""
    match = makers.family_at_start(name)
    if match is None:
        prefix, name = _without_maker(name)
        match = makers.family_at_start(name) if prefix else None
    owner = next((makers.owners[owner] for owner in spelling.owners if owner in makers.owners), "")
    if match is None:
        return _of_mention(makers.base_within(name), owner or prefix, spelling)
    family, rest = match
    base = makers.base_within(name) if family.based else None
    if makers.derived.search(rest) and not owner:
        # Somebody made it from a model of this family: nobody knows who.
        return NameFacts(name=_friendly(spelling, family.maker), family=base.name if base else family.name)
    made_elsewhere = bool(prefix) and prefix != family.maker
    return NameFacts(
        name=_friendly(spelling, family.maker),
        organization=prefix if made_elsewhere else family.maker,
        family=base.name if base else family.name,
        license="" if made_elsewhere else family.license,
        abilities=() if made_elsewhere else _abilities(family, name),
    )


def _abilities(family: _Family, name: str) -> tuple[Capability, ...]:
    """Return what a family's model can do: also to reason at a chosen effort, which differs within families."""
    return (*(family.abilities or ("text",)), "reasoning") if takes_effort(name) else family.abilities


def _of_mention(base: _Family | None, maker: str, spelling: Spelling) -> NameFacts:
    """Return the facts of a name that only mentions a family, as that of a tuned model does, or a known owner."""
    if base is None and not maker:
        return NOTHING_KNOWN
    return NameFacts(name=_friendly(spelling, maker), organization=maker, family=base.name if base else "")


def _without_maker(name: str) -> tuple[str, str]:
    """Return the maker that a name begins with, and the rest: “meta-llama-3” is Meta's “llama-3”. Else "" and all."""
    makers, parts, cut = _makers(), name.split("-"), ("", name)
    for count in range(1, min(4, len(parts))):
        maker = makers.spellings.get(_plain("-".join(parts[:count])))
        if maker is None:
            continue
        cut = maker, "-".join(parts[count:])
        if makers.family_at_start(cut[1]):
            return cut
    return cut


def _friendly(spelling: Spelling, maker: str) -> str:
    return friendly_name(spelling.written, maker, spelling.notes)


def _plain(text: str) -> str:
    return re.sub(r"[\s_.-]+", "-", text.strip().lower())
