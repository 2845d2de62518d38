"""Progress: a drawing, or the Job of a call, as viewers see it while it runs."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UnsetType

from parley.kernel.connector import Phase
from parley.kernel.messages import Attached


class ReplyProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a running reply's picture; see `connector.Progress`. `preview` is the picture so far.

    `phase`: how far the call's Job is, until the answer begins.
    """

    share: float | None = None
    step: int | None = None
    steps: int | None = None
    left_s: float | None = None
    ahead: int | None = None
    preview: Attached | None = None
    phase: Phase | None = None
    why: str | None = None


Drawing: TypeAlias = Annotated[
    ReplyProgress | UnsetType, msgspec.Meta(extra_json_schema={"x-may-be-absent": True})
]
"""The progress of a running reply that draws or starts as a Job; else it is left out."""
