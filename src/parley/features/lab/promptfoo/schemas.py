"""Requests and views of promptfoo's files."""

from typing import Annotated

import msgspec
from pydantic import Field

from parley.features.lab.promptfoo.sources import CONFIG, MOST_YAML_CHARS, Skipped
from parley.features.lab.prompts.schemas import ModelId, PromptName
from parley.kernel.request import Request

MAX_CONFIG_BYTES = 30_000_000
MOST_FILES = 200

FileName = Annotated[str, Field(min_length=1, max_length=400)]
FileText = Annotated[str, Field(max_length=MAX_CONFIG_BYTES)]


class ReadPromptfoo(Request):
    """A promptfoo config and the files beside it, by their names in it. `judge` is the model of its llm-rubrics.

    Without a name, prompt and data are called as the config's description, else as its file.
    """

    text: Annotated[str, Field(min_length=1, max_length=MOST_YAML_CHARS)]
    file: FileName = CONFIG
    files: Annotated[dict[FileName, FileText], Field(default_factory=dict, max_length=MOST_FILES)]
    judge: ModelId | None = None
    name: PromptName | None = None


class PromptOfConfig(msgspec.Struct, frozen=True):
    """A prompt of a config: its label, and the version of the prompt that it is or becomes."""

    label: str
    version: int
    is_new: bool


class PromptfooPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a config that can be imported, and what is there under its name already.

    `missing` names the files to add. `checks_replaced`: so many other checks of the prompt give way.
    """

    name: str
    prompts: tuple[PromptOfConfig, ...]
    variables: tuple[str, ...]
    rows: int
    checks: tuple[str, ...]
    models: tuple[str, ...]
    not_taken: tuple[Skipped, ...]
    missing: tuple[str, ...]
    prompt_exists: bool
    checks_replaced: int
    data_exists: bool
    rows_changed: bool


class PromptfooImport(msgspec.Struct, frozen=True, kw_only=True):
    """The prompt with these versions, and the data set, of a config. The same ones are used again."""

    prompt_id: str
    prompt: str
    versions: tuple[int, ...]
    dataset_id: str
    dataset: str
    rows: int
    checks: tuple[str, ...]
    models: tuple[str, ...]
    not_taken: tuple[Skipped, ...]
