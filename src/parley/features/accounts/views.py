"""Views of accounts that other features use."""

from typing import Any

import msgspec


class LinkRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A link that can be used. `target` is the id of what it is about; `terms` are its purpose's own."""

    id: str
    target: str
    terms: dict[str, Any]
    created_by: str
    created_at: str
    expires_at: str | None
