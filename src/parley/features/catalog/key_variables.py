"""The environment variables that are a provider's own keys."""

import re
from collections.abc import Mapping

from parley.features.catalog.discovery.known import KnownProvider, known_providers
from parley.kernel.errors import Rejected
from parley.wire.egress import origin_of


def is_own_key(variable: str, entry: Mapping[str, object]) -> bool:
    """Return whether a variable holds the key of the provider, or model in the short form, of an entry.

    That of a known provider is its own at its address only. Any other must have the entry's name: `VLLM_KEY` or
    `VLLM_API_KEY` for “vllm”.
    """
    owners = [
        known for known in known_providers() if variable in (known.key_variable, *known.other_variables)
    ]
    if owners:
        return any(_is_at(entry, known) for known in owners)
    own = re.sub(r"[^A-Z0-9]+", "_", str(entry.get("id", "")).upper())
    return not own.startswith("PARLEY") and variable in (f"{own}_KEY", f"{own}_API_KEY")


def _is_at(entry: Mapping[str, object], known: KnownProvider) -> bool:
    address = entry.get("base_url")
    if address is None:  # the connector's own
        return str(entry.get("connector")).removeprefix("anyllm-") == known.id
    try:
        return origin_of(str(address)) == known.origin
    except Rejected:
        return False
