"""The slots of a model server: how many calls it answers at once, where it says so."""

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

import msgspec

from parley.wire.http import HttpClient

SAID_AT = (
    ("props", "total_slots"),
    ("get_server_info", "max_running_requests"),
    ("info", "max_concurrent_requests"),
)
"""Paths and fields of llama.cpp, SGLang and Text Generation Inference."""

_NEARBY = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost")
_MOST = 1_000_000
_FIELDS: msgspec.json.Decoder[dict[str, object]] = msgspec.json.Decoder(dict[str, object])


async def read_slots(client: HttpClient, base_url: str, headers: Mapping[str, str]) -> int | None:
    """Return how many calls a server answers at once; None if it does not say. Raises UpstreamError.

    Only servers nearby are asked: those of a company on the internet have no such limit to tell.
    """
    parts = urlsplit(base_url)
    if not is_nearby(parts.hostname or ""):
        return None
    root = parts.path.rstrip("/").removesuffix("/v1")
    for path, field in SAID_AT:
        response = await client.get_json(urlunsplit(parts._replace(path=f"{root}/{path}")), headers)
        try:
            body = await response.read_body() if 200 <= response.status < 300 else b""
        finally:
            response.close()
        try:
            slots = _FIELDS.decode(body).get(field)
        except (ValueError, RecursionError):
            continue
        if type(slots) is int and 0 < slots < _MOST:
            return slots
    return None


def is_nearby(host: str) -> bool:
    """Return whether a host is on this computer or in a private network, as far as its name tells."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_NEARBY))
