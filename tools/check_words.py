"""Checks that no tracked file has what does not belong here: paths of machines, secrets, retired words."""

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from check_sizes import ROOT, tracked_files
from retired_words import retired_in

LOCKS = ("requirements.lock", "requirements-dev.lock", "web/package-lock.json")
BINARY = (".png", ".ico", ".woff2", ".jpg", ".webp", ".gif", ".db", ".gz", ".zip")


class Ban(NamedTuple):
    """A pattern, why it is banned, and whether only lock files and configuration are looked at."""

    pattern: re.Pattern[str]
    reason: str
    locks_only: bool = False


BANS = (
    Ban(
        re.compile(r"(?<![\w.])/(?:root|Users/\w+|home/(?!parley\b|you\b)\w+|work|tmp/w)/"),
        "a path of one machine",
    ),
    Ban(re.compile(r"https?://[^\s\"']+", re.IGNORECASE), "a host in a lock file", locks_only=True),
    Ban(
        re.compile(r"--(?:extra-)?index-url|--find-links|_auth[T]oken"),
        "a registry in a lock file",
        locks_only=True,
    ),
    Ban(
        re.compile(r"co-[a]uthored-by:|^generated (?:with|by) \[", re.IGNORECASE | re.MULTILINE), "a trailer"
    ),
    Ban(re.compile(r"\bwork[ -]sessions?\b", re.IGNORECASE), "how it was made, not what it is"),
    Ban(
        re.compile(r"(?:fix(?:es|ed)?|close[sd]?|see|issue|ticket|task) #\d+", re.IGNORECASE),
        "a tracker's number",
    ),
    Ban(
        re.compile(
            r"\b(?:sk-(?!0123|test|fake)[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[A-Z0-9]{16})\b"
        ),
        "a secret",
    ),
    Ban(re.compile(r"^(?:<{7} |>{7} |={7}$)", re.MULTILINE), "a conflict mark"),
)

DOCUMENTS = frozenset({"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"})
"""The only documents at the top; everything else is in docs/."""


def main() -> int:
    """Print every find; return 1 if there is one."""
    names = tracked_files()
    finds = [find for name in names if not name.endswith(BINARY) for find in look_at(name)]
    finds += retired_in(names)
    sys.stderr.writelines(f"{find}\n" for find in finds)
    return 1 if finds else 0


def look_at(name: str) -> Iterator[str]:
    """Yield what a file must not have."""
    if "/" not in name and name.endswith(".md") and name not in DOCUMENTS:
        yield f"{name}: documents live in docs/"
    text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
    for ban in BANS:
        if ban.locks_only and not name.endswith(LOCKS):
            continue
        for match in ban.pattern.finditer(text):
            if ban.locks_only and _is_metadata(match[0]):
                continue
            line = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: {ban.reason}: {match[0]!r}"


def _is_metadata(url: str) -> bool:
    """Return whether an address in package-lock.json is a package's funding or home page, not a registry."""
    return "registry" not in url and not url.endswith((".tgz", ".whl", ".tar.gz"))


if __name__ == "__main__":
    raise SystemExit(main())
