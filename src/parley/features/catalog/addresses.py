"""Addresses of model servers as people write them, mended into the base URL that requests go to."""

import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from parley.features.catalog.discovery.known import known_at

BY_ADDRESS: Final = ("openai", "litellm-proxy")
"""Connectors to servers whose address is all that it takes to test them; a provider of theirs needs one."""

AZURE_HINT: Final = "https://NAME.openai.azure.com/openai/v1"

_AROUND = " \t\r\n\v\f\"'`“”„‘’«»<>(){},;\u00a0\u200b\u200c\u200d\u2060\ufeff"
"""Characters that are copied with an address."""

_ASSIGNED = re.compile(r"^(export\s+)?[A-Za-z_]+\s*=\s*[\"']?(?=\S)")
_SCHEME = re.compile(r"(https?)(?::/*|/{2,})", re.IGNORECASE)
_BARE = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?(/|\?|#|$)", re.IGNORECASE)
_ENDPOINT = re.compile(
    r"(?:/(?:chat/completions|completions?|embeddings|models|responses|messages|moderations|rerank|"
    r"images/(?:generations|edits)|audio/(?:speech|transcriptions|translations)|"
    r"health(?:/\w+)?|props|slots|metrics|model/info|docs|redoc|ui|openapi\.json)|"
    r"(?<=/v1)/(?:chat|models/.+)|"
    r"(?<=/api)/(?:chat|tags|generate|show|ps|pull|embed|version))$",
    re.IGNORECASE,
)
_ANY_HOST = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - printed by servers that listen everywhere
_KEY_NAMES = re.compile(r"(^|[_-])(key|apikey|token|secret|sig|code)$")
_AZURE = (".openai.azure.com", ".openai.azure.us", ".cognitiveservices.azure.com", ".services.ai.azure.com")
_OTHER_APIS = ("", "/api", "/api/v0")
"""Paths at which no server has an OpenAI-compatible API: its root, and the own APIs of Ollama and LM Studio."""

_LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


def mended_address(text: str) -> str:
    """Return a web address without what was copied with it: quotes, an endpoint's path, a query.

    Without a scheme it gets http:// on this computer or in its network, else https://. Raises ValueError that does
    not repeat the address: it can contain a key.
    """
    parts = _split(text)
    host = _ANY_HOST.get(parts.netloc.rpartition(":")[0] if parts.port else parts.netloc)
    if host is not None:
        parts = parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host)
    path = re.sub(r"/{2,}", "/", parts.path).rstrip("/")
    while (shorter := _ENDPOINT.sub("", path).rstrip("/")) != path:
        path = shorter
    path = re.sub(r"(/v1)+$", "/v1", path, flags=re.IGNORECASE)
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def base_url_of(connector: str, text: str) -> str:
    """Return the base URL that a connector's requests go to: with the API's path, where the dialect has one.

    Raises ValueError like `mended_address`.
    """
    address = mended_address(text)
    if connector not in BY_ADDRESS:
        return address
    parts = urlsplit(address)
    if (parts.hostname or "").endswith(_AZURE):
        return parts._replace(path="/openai/v1").geturl()
    known = known_at(address)
    if known is not None and known.connector in BY_ADDRESS and known.base_url is not None:
        usual = urlsplit(known.base_url).path
        if f"{usual}/".startswith(f"{parts.path}/") or (usual and parts.path == "/v1"):
            return known.base_url
    return parts._replace(path="/v1").geturl() if parts.path in _OTHER_APIS else address


def same_server(one: str | None, other: str | None) -> bool:
    """Return whether two base URLs lead to the same API; the names of this computer are one."""
    return one is not None and other is not None and _place(one) == _place(other)


def is_local(base_url: str | None) -> bool:
    """Return whether an address looks like one on this computer or in its local network."""
    host = (urlsplit(base_url).hostname or "") if base_url else ""
    if not host:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_ENDINGS)
    return address.is_loopback or address.is_private or address.is_link_local


def _split(text: str) -> SplitResult:
    """Return the parts of an address as it was written, with its scheme. Raises ValueError."""
    plain = _ASSIGNED.sub("", text.strip(_AROUND)).strip(_AROUND).replace("\\", "/").rstrip(f"{_AROUND}.")
    if match := _SCHEME.match(plain):
        plain = f"{match[1].lower()}://{plain[match.end() :]}"
    elif "://" not in plain and (match := _BARE.match(plain.lstrip("/"))):
        plain = plain.lstrip("/")
        if match[2] or "." in match[1] or match[1].lower() == "localhost" or match[1][0] == "[":
            plain = f"{'http' if is_local(f'http://{plain}') else 'https'}://{plain}"
    try:
        parts = urlsplit(plain)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is not a web address") from None
    if parts.scheme not in ("http", "https") or not host or any(map(str.isspace, plain)):
        raise ValueError("must be a web address, as in http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not have a user name or password: put the key in api_key")
    _check_query(parts, host)
    return parts


def _check_query(parts: SplitResult, host: str) -> None:
    """Raise ValueError for a query that means something; any other is left out."""
    names = [name.lower() for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if any(map(_KEY_NAMES.search, names)):
        raise ValueError("must not have a key behind “?”: put the key in api_key")
    if "api-version" in names and not host.endswith(_AZURE):
        raise ValueError(f"must not have “api-version”: for Azure, enter the address as in {AZURE_HINT}")


def _place(base_url: str) -> tuple[str, str | None, int | None, str]:
    parts = urlsplit(base_url)
    host = "localhost" if parts.hostname in ("127.0.0.1", "::1") else (parts.hostname or "").rstrip(".")
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, host, port, parts.path.rstrip("/")
