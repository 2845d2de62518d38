"""The kinds of plug-ins that are YAML, as strict schemas: each file is one of one kind."""

from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from parley.features.plug_ins.vega_lite import check_spec
from parley.features.usage.schemas import Scale
from parley.kernel.names import checked_name

Kind: TypeAlias = Literal["connector", "check", "card", "view", "words"]
KINDS: tuple[Kind, ...] = ("connector", "check", "card", "view", "words")

_FORMULA = ("=", "+", "-", "@")
"""Signs at which spreadsheets take a text for a formula."""


def _title(text: str) -> str:
    name = checked_name(text)
    if name.startswith(_FORMULA):
        raise ValueError(f"must not begin with “{name[0]}”: a spreadsheet takes it for a formula")
    return name


def _web_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
        parts = urlsplit("")
    if not usable or any(letter.isspace() for letter in text):
        raise ValueError("must be a web address, such as https://models.example.org/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not have a name or password in it")
    return text


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
Title = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_title)]
About = Annotated[str, Field(max_length=500)]
Word = Annotated[str, Field(min_length=1, max_length=64)]
WebAddress = Annotated[str, Field(max_length=500), AfterValidator(_web_address)]


class _Part(BaseModel):
    """A part of a file: strict types, and no key that it does not have."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _File(_Part):
    """The head of every file. `name` is for programs and unique among those of a kind, `title` for people."""

    name: Name
    title: Title
    about: About = ""


class ConnectorPreset(_Part):
    """A provider to choose when one is added. `like`: the known provider whose dialect and quirks it has."""

    base_url: WebAddress
    like: Word = "custom"
    key_url: WebAddress | None = None
    needs_key: bool = True
    local: bool = False
    note: About = ""


class Question(_Part):
    """A question to a measure of usage. `where`: the only values that count, by dimension."""

    measure: Word
    by: list[Word] = Field(default_factory=list[str], max_length=3)
    where: dict[
        Word, Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=20)]
    ] = Field(default_factory=dict[str, list[str]], max_length=5)
    of: Scale = "me"

    @field_validator("where")
    @classmethod
    def _without_commas(cls, where: dict[str, list[str]]) -> dict[str, list[str]]:
        for name, values in where.items():
            if any("," in value for value in values):
                raise ValueError(f"{name}: a value must not have a comma")
        return where


class MeasureCard(Question):
    """A card of the analytics. `value`: the column of figures that is shown, where the measure has several."""

    draw: Literal["line", "bars", "stacked", "ranges", "table"]
    value: Annotated[str, Field(max_length=64)] = ""


class VegaLiteView(Question):
    """A chart of a measure, drawn from a Vega-Lite specification. Its data are the measure's rows."""

    spec: dict[str, Any]

    @field_validator("spec")
    @classmethod
    def _harmless(cls, spec: dict[str, Any]) -> dict[str, Any]:
        check_spec(spec)
        return spec


class WordList(_Part):
    """A list for moderation: words and phrases, or with `patterns` regular expressions in Rust's syntax."""

    terms: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]], Field(min_length=1, max_length=1000)
    ]
    patterns: bool = False
    moment: Literal["prompt", "reply", "both"] = "prompt"
    verdict: Literal["flag", "hold"] = "flag"


class ConnectorFile(_File):
    """A provider to choose when one is added."""

    kind: Literal["connector"]
    connector: ConnectorPreset


class CheckFile(_File):
    """A check of the Prompt Lab, with its settings as the Lab has them."""

    kind: Literal["check"]
    check: dict[str, Any]


class CardFile(_File):
    """A card of the analytics."""

    kind: Literal["card"]
    card: MeasureCard


class ViewFile(_File):
    """A chart of the analytics."""

    kind: Literal["view"]
    view: VegaLiteView


class WordsFile(_File):
    """A list for moderation."""

    kind: Literal["words"]
    words: WordList


PlugInFile: TypeAlias = ConnectorFile | CheckFile | CardFile | ViewFile | WordsFile

FILES: TypeAdapter[PlugInFile] = TypeAdapter(Annotated[PlugInFile, Field(discriminator="kind")])
