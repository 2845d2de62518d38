"""Use cases of promptfoo's files: preview, import, export."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePath

import msgspec

from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.checking import read_checks
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.checks_of_answer import label_of
from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.promptfoo.cases import PLACE
from parley.features.lab.promptfoo.reading import Config, TakenPrompt, read_config
from parley.features.lab.promptfoo.schemas import (
    PromptfooImport,
    PromptfooPreview,
    PromptOfConfig,
    ReadPromptfoo,
)
from parley.features.lab.promptfoo.sources import Skipped, merged
from parley.features.lab.promptfoo.storing import Content, Known, look_up, store, stored_form
from parley.features.lab.promptfoo.writing import write_config
from parley.features.lab.prompts.body import PromptBody, PromptMessage, Variable
from parley.features.lab.prompts.repository import PromptsRepository
from parley.features.lab.prompts.schemas import MAX_NAME_CHARS
from parley.features.lab.prompts.service import body_of, checks_of
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.names import checked_name
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class Promptfoo:
    """Imports promptfoo's configs as prompts, data and checks of their owner, and exports them."""

    def __init__(self, database: Database, clock: Clock, calls: LabCalls) -> None:
        self._database = database
        self._clock = clock
        self._calls = calls

    async def preview(self, caller: Caller, request: ReadPromptfoo) -> PromptfooPreview:
        """Return what an import would do. Raises Invalid, naming the line."""
        config, content, not_taken = await self._read(request)
        known = await self._database.read(lambda transaction: look_up(transaction, caller, content.name))
        prompts = tuple(
            PromptOfConfig(label, number, is_new)
            for (label, _), (number, is_new) in zip(
                content.bodies, known.numbers(content.bodies), strict=True
            )
        )
        return PromptfooPreview(
            name=content.name,
            prompts=prompts,
            variables=tuple(dict.fromkeys(it.name for _, body in content.bodies for it in body.variables)),
            rows=len(content.rows),
            checks=tuple(label_of(check) for check in content.checks),
            models=config.models,
            not_taken=not_taken,
            missing=config.missing,
            prompt_exists=known.prompt is not None,
            checks_replaced=_replaced(known, content.checks),
            data_exists=known.dataset is not None,
            rows_changed=known.dataset is not None and not known.has_rows(content.rows),
        )

    async def take(self, caller: Caller, request: ReadPromptfoo) -> PromptfooImport:
        """Store a config's prompts, rows and checks; the same are used again. Raises Invalid, Conflict."""
        config, content, not_taken = await self._read(request)
        if not content.bodies:
            raise Invalid(
                "files", f"The file “{config.missing[0]}” is missing.", "Nothing was imported. Add it."
            )
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        prompt, versions, dataset = await self._database.write(
            lambda transaction: store(transaction, caller, content, now)
        )
        return PromptfooImport(
            prompt_id=prompt.id,
            prompt=prompt.name,
            versions=tuple(dict.fromkeys(versions)),
            dataset_id=dataset.id,
            dataset=dataset.name,
            rows=len(content.rows),
            checks=tuple(label_of(check) for check in content.checks),
            models=config.models,
            not_taken=not_taken,
        )

    async def export(
        self, caller: Caller, prompt_id: str, dataset_id: str, version: int | None, door: str
    ) -> tuple[str, str]:
        """Return a prompt's name, and its newest or one version, its checks and a data set as a config.

        `door` is the address at which promptfoo can reach the models. Raises NotFound.
        """

        def read(transaction: Transaction) -> tuple[str, str]:
            prompts, datasets = PromptsRepository(transaction), DatasetsRepository(transaction)
            prompt = prompts.get(caller.person_id, prompt_id)
            dataset = datasets.get(caller.person_id, dataset_id)
            body = body_of(prompts.version(prompt.id, version or prompt.newest))
            rows = datasets.rows(dataset.id, dataset.number)
            text = write_config(
                prompt.name,
                [[(it.role, it.text) for it in body.messages]],
                [prompt.model_id] if prompt.model_id else [],
                [(row.fields, row.expected) for row in rows],
                checks_of(prompt),
                defaults={it.name: it.default for it in body.variables if it.default},
                door=door,
            )
            return prompt.name, text

        return await self._database.search(read)

    async def _read(self, request: ReadPromptfoo) -> tuple[Config, Content, tuple[Skipped, ...]]:
        if request.judge is not None:
            self._calls.model(request.judge, "judge")
        config = await asyncio.to_thread(
            read_config, request.text, name=request.file, judge=request.judge, files=request.files
        )
        checks: list[CheckSpec] = []
        refused: list[Skipped] = []
        for check in config.checks:
            try:
                checks += await read_checks([msgspec.to_builtins(check.spec)])
            except Invalid as error:
                kind = label_of(check.spec)
                refused.append(Skipped(file=check.file, line=check.line, text=f"{kind}: {error.title}"))
        bodies = [(prompt.label[:500], _body(prompt)) for prompt in config.prompts]
        rows = [dict(row.values) for row in config.rows]
        name = request.name or _name(config, request.file)
        return config, Content(name, bodies, checks, rows), merged([*config.not_taken, *refused])


def _body(prompt: TakenPrompt) -> PromptBody:
    """Return a prompt's body. A variable without a value is empty, as in promptfoo."""
    names = dict.fromkeys(match[1] for _, text in prompt.messages for match in PLACE.finditer(text))
    return PromptBody(
        messages=tuple(PromptMessage(role, text) for role, text in prompt.messages),
        variables=tuple(Variable(name=name, default="") for name in names),
    ).with_all_variables()


def _name(config: Config, file: str) -> str:
    """Return a name for prompt and data: the description's first line, or the file's name."""
    stem = PurePath(file).name.removesuffix(".yaml").removesuffix(".yml").removesuffix(".json")
    for text in (*config.description.splitlines()[:1], stem, "promptfoo"):
        try:
            return checked_name(text[:MAX_NAME_CHARS])
        except ValueError:
            continue
    return "promptfoo"


def _replaced(known: Known, checks: Sequence[CheckSpec]) -> int:
    """Return how many checks a prompt has that the config does not have."""
    new = stored_form(checks)
    return sum(1 for check in known.checks if check not in new)
