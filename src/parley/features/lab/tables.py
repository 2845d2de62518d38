"""Tables of the Prompt Lab: prompts, data sets, runs and searches with their trials."""

from typing import Annotated, Any

from sqlalchemy import Index, Integer, String, Text, UniqueConstraint

from parley.storage.tables.rows import (
    Digest,
    Document,
    Id,
    Json,
    Key,
    Name,
    OptionalJson,
    Owner,
    Row,
    Time,
    column,
    stored_in,
)

Label = Annotated[str, String(40), column(primary_key=True)]


@stored_in("prompts", UniqueConstraint("owner_id", "name"))
class PromptRow(Row):
    """A prompt under a name. `newest` is the number of its last version; `checks` score its answers.

    `model_id`: the model that answers where nobody names another.
    """

    id: Key
    owner_id: Owner
    space_id: Id
    name: Annotated[str, String(80)]
    newest: Annotated[int, Integer]
    model_id: Name | None
    checks: Annotated[list[Any], Json]
    created_at: Time
    updated_at: Time


@stored_in("prompt_versions")
class PromptVersionRow(Row):
    """A version of a prompt, which never changes. `parent` is the version that it was made from."""

    prompt_id: Annotated[Id, column(references="prompts.id", ondelete="CASCADE", primary_key=True)]
    number: Annotated[int, Integer, column(primary_key=True)]
    sha256: Digest
    body: Document
    note: Annotated[str, String(500)]
    parent: Annotated[int | None, Integer]
    author_id: Id
    created_at: Time


@stored_in("prompt_labels")
class PromptLabelRow(Row):
    """A pointer to a version, such as `production`."""

    prompt_id: Annotated[Id, column(references="prompts.id", ondelete="CASCADE", primary_key=True)]
    label: Label
    number: Annotated[int, Integer]
    moved_at: Time


@stored_in("lab_datasets", UniqueConstraint("owner_id", "name"))
class DatasetRow(Row):
    """A list of rows under a name. `number` grows with each change, and `sha256` is that of its present rows."""

    id: Key
    owner_id: Owner
    space_id: Id
    name: Annotated[str, String(80)]
    number: Annotated[int, Integer]
    sha256: Digest
    created_at: Time
    updated_at: Time


@stored_in("lab_rows", Index("ix_lab_rows_dataset_id", "dataset_id"))
class LabRow(Row):
    """Values for a prompt's variables, and the expected answer. A changed row is a new one in the same place.

    It is in the versions from `added_in` up to, and without, `removed_in`. `sha256` is that of values and expected.
    """

    id: Key
    dataset_id: Annotated[Id, column(references="lab_datasets.id", ondelete="CASCADE")]
    position: Annotated[int, Integer]
    split: Name
    sha256: Digest
    fields: Document
    expected: Annotated[str | None, Text]
    source: Annotated[str, String(64)]
    added_in: Annotated[int, Integer]
    removed_in: Annotated[int | None, Integer] = None


class ExperimentRow(Row):
    """A run or a search: its plan, its cap and what it has spent in micro-dollars, and its state.

    `job_id` is the latest job that carries it out.
    """

    id: Key
    owner_id: Owner
    space_id: Id
    prompt_id: Annotated[Id, column(references="prompts.id", ondelete="CASCADE")]
    number: Annotated[int, Integer]
    plan: Document
    checks: Annotated[list[Any], Json]
    cap_micros: int | None
    spent_micros: int
    status: Name
    job_id: Id
    author_id: Id
    problem: Annotated[dict[str, Any] | None, OptionalJson]
    created_at: Time
    started_at: Time
    ended_at: Time | None


@stored_in("lab_runs", UniqueConstraint("prompt_id", "number"), Index("ix_lab_runs_owner_id", "owner_id"))
class RunRow(ExperimentRow):
    """Versions × models × rows × repeats."""


@stored_in(
    "lab_improvements",
    UniqueConstraint("prompt_id", "number"),
    Index("ix_lab_improvements_owner_id", "owner_id"),
)
class ImprovementRow(ExperimentRow):
    """A search for a better version, and its result once it has ended.

    `answers` and `reflections` are how far the search had come when its candidates were last stored.
    """

    answers: Annotated[int, Integer]
    reflections: Annotated[int, Integer]
    result: Annotated[dict[str, Any] | None, OptionalJson]


@stored_in("lab_candidates")
class CandidateRow(Row):
    """A prompt of a search: its texts by their places, and its score on the validation rows. 0 is the first one.

    `sha256` is that of the whole body: the answers with it are trials under this version. `answers`: how many the
    search had asked for by then.
    """

    improvement_id: Annotated[
        Id, column(references="lab_improvements.id", ondelete="CASCADE", primary_key=True)
    ]
    number: Annotated[int, Integer, column(primary_key=True)]
    parents: Annotated[list[Any], Json]
    texts: Document
    sha256: Digest
    score: float
    answers: Annotated[int, Integer]


@stored_in("lab_reflections", Index("ix_lab_reflections_improvement_id", "improvement_id"))
class ReflectionRow(Row):
    """A reflecting model's text, under a hash of what it was asked: a search that resumes does not ask again.

    It is stored with its call's row, and outlives a search that is deleted in that moment; so no foreign key.
    """

    key: Annotated[Digest, column(primary_key=True)]
    owner_id: Owner
    improvement_id: Id
    text: Annotated[str, Text]
    cost_micros: int | None


@stored_in(
    "lab_trials",
    Index("ix_lab_trials_run_id", "run_id"),
    Index("ix_lab_trials_owner_id_version_sha256", "owner_id", "version_sha256"),
)
class TrialRow(Row):
    """A model's answer to one row with one version, under a key that is a hash of all that decides it.

    `run_id` is the run that paid for it; other runs of the owner use it too. `error` is that of a failed trial, which
    the next run asks again.
    """

    key: Annotated[Digest, column(primary_key=True)]
    owner_id: Owner
    run_id: Id
    version_sha256: Digest
    row_sha256: Digest
    model_id: Name
    repeat: Annotated[int, Integer]
    attempt: Annotated[int, Integer]
    status: Name
    call_id: Id
    output_sha256: Digest | None
    finish_reason: Name | None
    latency_ms: Annotated[int, Integer]
    input_tokens: Annotated[int, Integer]
    output_tokens: Annotated[int, Integer]
    cost_micros: int | None
    tool_calls: Annotated[list[Any] | None, OptionalJson]
    error: Annotated[dict[str, Any] | None, OptionalJson]
    created_at: Time


@stored_in("lab_outputs")
class OutputRow(Row):
    """The text of an answer, by its hash, once for each owner."""

    owner_id: Annotated[Id, column(references="users.id", primary_key=True)]
    sha256: Annotated[Digest, column(primary_key=True)]
    text: Annotated[str, Text]


@stored_in("lab_scores")
class ScoreRow(Row):
    """The verdict of a check on a trial; `check_sha256` is the hash of the check's settings. Null: not yet decided."""

    trial_key: Annotated[Digest, column(references="lab_trials.key", ondelete="CASCADE", primary_key=True)]
    check_sha256: Annotated[Digest, column(primary_key=True)]
    passed: bool | None
    score: float
    reason: Annotated[str, String(1000)]
    by: Annotated[str, String(64)]


@stored_in("lab_judges")
class JudgeRow(Row):
    """The passport of a model that judges: `figures` as `SavePassport`."""

    owner_id: Annotated[Id, column(references="users.id", primary_key=True)]
    model_id: Annotated[Name, column(primary_key=True)]
    figures: Document
    measured_at: Time
