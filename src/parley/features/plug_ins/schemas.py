"""Requests and responses about plug-ins."""

from typing import Annotated, Any, Literal, Self, TypeAlias

import msgspec
from pydantic import Field, model_validator

from parley.features.plug_ins.kinds import Kind
from parley.kernel.request import Request

Origin: TypeAlias = Literal["own", "workspace", "everybody", "folder"]

Yaml = Annotated[str, Field(min_length=1, max_length=40_000)]


class AddPlugIn(Request):
    """A plug-in as YAML. `everybody`: it is for the whole installation, not for where the caller is."""

    text: Yaml
    everybody: bool = False


class ChangePlugIn(Request):
    """The fields to change: another text, or on and off."""

    text: Yaml | None = None
    enabled: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must change at least one field")
        return self


class PlugInView(msgspec.Struct, frozen=True, kw_only=True):
    """A plug-in. `origin`: one's own, the workspace's, everybody's, or a `file` of the data folder.

    `content` is what its kind has; null if it can't be read. `problem`: why it does nothing.
    """

    id: str
    kind: Kind | None
    name: str
    title: str
    about: str
    origin: Origin
    file: str | None
    enabled: bool
    may_change: bool
    text: str
    content: dict[str, Any] | None
    problem: str | None
    updated_at: str | None


class InstalledPlugIn(msgspec.Struct, frozen=True, kw_only=True):
    """An installed package of Python with an entry point in the group `parley`. `hooks`: what it implements.

    `problem`: why it was skipped.
    """

    name: str
    package: str
    version: str
    hooks: list[str]
    problem: str | None


class PlugInList(msgspec.Struct, frozen=True, kw_only=True):
    """The plug-ins that the caller sees. `folder`: where files for everybody go, null but for administrators."""

    plug_ins: list[PlugInView]
    installed: list[InstalledPlugIn]
    folder: str | None
    may_add_for_everybody: bool
