"""Names of attachments, cleaned of anything misleading."""

import re

from parley.features.attachments.limits import NAME_CHARS

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters, and characters that change the writing direction or are invisible."""


def plain_name(raw: str) -> str:
    """Return a name in one line, without folders and misleading characters.

    A name that is too long loses its middle, so that its ending is kept.
    """
    last = " ".join(re.split(r"[/\\]", raw)[-1].split())
    name = " ".join(_UNSEEN.sub("", last).split()).strip(". ")
    if len(name) > NAME_CHARS:
        name = f"{name[: NAME_CHARS - 41]}…{name[-40:]}"
    return name or "file"
