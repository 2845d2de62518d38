"""Progress: a drawing as its viewers see it while it runs."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UnsetType

from parley.kernel.messages import Attached


class ReplyProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a running reply's picture; see `connector.Progress`. `preview` is the picture so far."""

    share: float | None = None
    step: int | None = None
    steps: int | None = None
    left_s: float | None = None
    ahead: int | None = None
    preview: Attached | None = None


Drawing: TypeAlias = Annotated[
    ReplyProgress | UnsetType, msgspec.Meta(extra_json_schema={"x-may-be-absent": True})
]
"""The progress of a running reply that draws; else it is left out."""
