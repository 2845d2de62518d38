"""Making a server's text fit to show: short, on one line, and without secrets."""

import html
import re
from collections.abc import Iterable
from itertools import takewhile
from urllib.parse import quote, quote_plus

LIMIT = 300
LOOKED_AT = 8192
"""The characters of a server's text that are examined."""

MASK = "[redacted]"
START = 8
"""A match of this many leading characters counts as the secret: servers and limits cut what they echo."""

END = 4
"""At the end of a text this many suffice: whoever cut the text may have cut the secret."""

# Servers choose the text: every pattern takes linear time, so none may look far ahead from many places.
_SCHEMES = re.compile(r"(?i)\b(bearer|basic|token)\s+[^\s\"',;<>]{4,}")
_FIELDS = re.compile(
    r"(?i)((?:x-)?(?:api|access|secret|auth)[-_ ]?(?:key|token)|authorization|password|secret|apikey|key)"
    r"(\"?\s*[:=]\s*\"?)(?!\s|bearer\b|basic\b)([^\s\"',;&<>]{4,})"
)
_PREFIXED = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|fw|key|api|tok|ghp|gho|github_pat|glpat|AKIA|ASIA|AIza|ya29|or)"
    r"[-_.]?[A-Za-z0-9*._-]{10,}"
)
_JWT = re.compile(r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}")
_LONG = re.compile(r"\b[A-Za-z0-9_+/-]{32,}={0,2}")
_USERINFO = re.compile(r"://[^\s/]+@")
_UNSEEN = re.compile(r"(?is)<(script|style)\b.*?(?:</\1\s*>|$)")
_TAG = re.compile(r"<[/!?a-zA-Z][^<>]{0,2000}>")
_NO_CHARACTER = re.compile(r"&#[xX]?[0-9a-fA-F]{10,};?")


def redact(text: str, secrets: Iterable[str | None] = ()) -> str:
    """Return the text with keys, bearer tokens and the given secrets masked."""
    text = _without(text, secrets)
    text = _USERINFO.sub(f"://{MASK}@", text)
    text = _SCHEMES.sub(rf"\1 {MASK}", text)
    text = _FIELDS.sub(rf"\1\2{MASK}", text)
    text = _PREFIXED.sub(_mask_if_key, text)
    text = _JWT.sub(MASK, text)
    return _LONG.sub(_mask_if_mixed, text)


def shorten(text: str, limit: int = LIMIT) -> str:
    """Return the text on one line, at most `limit` characters, an ellipsis where it was cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: limit * 20]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def excerpt(body: bytes | str, secrets: Iterable[str | None] = (), limit: int = LIMIT) -> str | None:
    """Return what may be shown of a server's body, without mark-up; None if nothing is left.

    Redacts before it shortens: a key that the cut would halve is masked whole.
    """
    text = body[: LOOKED_AT * 4].decode("utf-8", "replace") if isinstance(body, bytes) else body
    if len(text) > LOOKED_AT:
        # The word that the cut halves may be a key.
        text = "".join(text[:LOOKED_AT].rsplit(None, 1)[:1])
    if text.lstrip().startswith("<"):
        secrets = tuple(secrets)
        # First, since a secret that looks like mark-up would leave pieces behind.
        text = _without(text, secrets)
        text = html.unescape(_NO_CHARACTER.sub(" ", _TAG.sub(" ", _UNSEEN.sub(" ", text))))
    return shorten(redact(text, secrets), limit) or None


def _without(text: str, secrets: Iterable[str | None]) -> str:
    """Mask secrets, whole or cut short, in the spellings in which servers send them back."""
    for secret in secrets:
        if secret and len(secret) >= 4:
            escaped = secret.replace("\\", "\\\\").replace('"', '\\"')
            written = (
                secret,
                escaped,
                html.escape(secret),
                quote(secret),
                quote(secret, safe=""),
                quote_plus(secret),
            )
            for spelling in dict.fromkeys(written):
                text = _without_start_of(text, spelling)
    return text


def _without_start_of(text: str, secret: str) -> str:
    parts: list[str] = []
    done = 0
    while (at := text.find(secret[:START], done)) >= 0:
        parts += (text[done:at], MASK)
        alike = takewhile(
            lambda pair: pair[0] == pair[1], zip(text[at : at + len(secret)], secret, strict=False)
        )
        done = at + sum(1 for _ in alike)
    rest = text[done:]
    cut = next((n for n in range(min(START, len(secret)) - 1, END - 1, -1) if rest.endswith(secret[:n])), 0)
    return "".join((*parts, rest[: len(rest) - cut], MASK if cut else ""))


def _mask_if_key(match: re.Match[str]) -> str:
    # "key-value-store" is a word, "key-a1b2c3d4e5" is a key: keys have digits, asterisks or both cases.
    word = match.group()
    body = word[2:]
    mixed = any(c.islower() for c in body) and any(c.isupper() for c in body)
    return MASK if mixed or any(c.isdigit() or c == "*" for c in body) else word


def _mask_if_mixed(match: re.Match[str]) -> str:
    word = match.group()
    mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
    return MASK if mixed else word
