"""The check that a plug-in fits this installation: all that it names must be there."""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
from pydantic import ValidationError

from parley.features.catalog.discovery.known import known_provider, known_providers
from parley.features.lab.checks.checking import read_checks
from parley.features.lab.checks.contract import CheckSpec
from parley.features.moderation.schemas import RuleBody
from parley.features.plug_ins.kinds import Kind
from parley.features.plug_ins.reading import PlugIn, Source
from parley.features.usage.service import UsageRequest, UsageService
from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean


async def check_fit(source: Source, usage: UsageService) -> None:
    """Refuse a plug-in that can't work here. Raises Invalid, naming line and field."""
    if source.plug_in.kind == "check":
        await _check_check(source)
        return
    if wrong := misfit(source.plug_in, usage):
        raise source.wrong(*wrong)


def misfit(plug_in: PlugIn, usage: UsageService) -> tuple[str, str] | None:
    """Return the field of a plug-in that doesn't fit, and why; None if all do. Checks have been looked at before."""
    look: dict[Kind, Callable[[PlugIn, UsageService], tuple[str, str] | None]] = {
        "connector": _connector,
        "card": _question,
        "view": _question,
        "words": _words,
    }
    return look[plug_in.kind](plug_in, usage) if plug_in.kind in look else None


async def _check_check(source: Source) -> None:
    settings = source.plug_in.content
    kinds = {struct.__struct_config__.tag: struct for struct in get_args(CheckSpec)}
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        close = did_you_mean(kind, kinds) if isinstance(kind, str) else ""
        raise source.wrong("kind", f"there is no such check{close}. It can be {', '.join(kinds)}")
    for name in settings:
        if name != "kind" and name not in kinds[kind].__struct_fields__:
            raise source.wrong(name, f"isn't known for the check “{kind}”")
    try:
        await read_checks([settings])
    except Invalid as error:
        why = error.title.removeprefix("checks.0: ")
        raise source.wrong("", why[:1].lower() + why[1:]) from None


def _connector(plug_in: PlugIn, _: UsageService) -> tuple[str, str] | None:
    like = plug_in.content["like"]
    if known_provider(plug_in.name) is not None:
        return "", f"a known provider is named “{plug_in.name}” already. Choose another name"
    if known_provider(like) is None:
        names = [each.id for each in known_providers()]
        return "like", f"there is no known provider “{like}”{did_you_mean(like, names)}"
    return None


def _question(plug_in: PlugIn, usage: UsageService) -> tuple[str, str] | None:
    content = plug_in.content
    try:
        values = usage.check(
            UsageRequest(measure=content["measure"], by=",".join(content["by"]), where=where_of(content))
        )
    except Invalid as error:
        return error.field, error.title.removeprefix(f"{error.field}: ")
    value = content.get("value")
    if value and value not in values:
        return "value", f"{content['measure']} has no column “{value}”. It has {', '.join(values)}"
    return None


def where_of(content: dict[str, Any]) -> str:
    """Return the conditions of a question as `/api/usage` takes them."""
    return ",".join(f"{name}:{value}" for name, values in content["where"].items() for value in values)


def _words(plug_in: PlugIn, _: UsageService) -> tuple[str, str] | None:
    try:
        rule_body(plug_in)
    except ValidationError as error:
        return "terms", str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    return None


def rule_body(plug_in: PlugIn) -> RuleBody:
    """Return a word list as a rule of moderation. Raises ValidationError for a pattern that can't be used."""
    content = plug_in.content
    return RuleBody(
        name=plug_in.title,
        kind="patterns" if content["patterns"] else "words",
        moment=content["moment"],
        verdict=content["verdict"],
        terms=content["terms"],
    )


def as_plug_in(kind: str, name: str, content: dict[str, Any]) -> PlugIn:
    """Return a stored plug-in; its head is in the content too."""
    head = {key: content[key] for key in ("title", "about")}
    return PlugIn(msgspec.convert(kind, Kind), name, head["title"], head["about"], content["content"])
