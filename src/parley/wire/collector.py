"""The address of a collector of traces and metrics, as people write it."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or "@" in parts.netloc:
        raise ValueError(
            "must be like http://localhost:4318; keys of a collector belong in OTEL_EXPORTER_OTLP_HEADERS"
        )
    return url.rstrip("/")


CollectorUrl = Annotated[str, AfterValidator(_checked)]
"""The address of a collector: HTTP or HTTPS, without a name, password or query."""
