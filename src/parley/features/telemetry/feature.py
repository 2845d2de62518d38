"""Traces and metrics by OpenTelemetry, for a collector; off without one, and then nothing of it is loaded."""

import asyncio
import logging
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from parley.api.request_spans import RequestSpans
from parley.engine.gateway import Gateway
from parley.engine.observed_calls import ObservedCalls
from parley.engine.runner import Runner
from parley.features.catalog.connections import Connectors
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature
from parley.kernel.parts import Parts
from parley.settings import Settings, SettingsError
from parley.settings_loading import environment

if TYPE_CHECKING:
    from parley.features.telemetry.exporting import Exports

log = logging.getLogger(__name__)

STANDARD = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable that other programs read too."""


class Telemetry:
    """The exports, if there are any."""

    def __init__(self, exports: "Exports | None" = None) -> None:
        self.exports = exports

    async def close(self) -> None:
        """Send the last batch and end the threads."""
        if self.exports is not None:
            await asyncio.to_thread(self.exports.close)


def _build(parts: Parts) -> Sequence[object]:
    url = _collector_of(parts[Settings])
    if url is None:
        return Telemetry(), RequestSpans()
    from parley.features.telemetry.exporting import Exports
    from parley.features.telemetry.instruments import Instruments
    from parley.features.telemetry.spans import Spans

    exports = Exports(url)
    texts = parts[Settings].otlp_texts == "on"
    spans = Spans(exports.tracer, Instruments(exports.meter), parts[CatalogService], texts=texts)
    parts[Gateway].follow(spans.begun)
    parts[ObservedCalls].observe(spans.ended)
    parts[Runner].around = spans.turn
    parts[Connectors].pass_along(spans.headers)
    return Telemetry(exports), RequestSpans(spans.request)


def _is_installed() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ImportError:
        return False


def _collector_of(settings: Settings) -> str | None:
    """Return the collector's address, or None. Raises SettingsError if one is set and the extra is missing."""
    variables = environment()
    if variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    url = settings.otlp_url or variables.get(STANDARD, "").rstrip("/")
    if not url:
        return None
    if not _is_installed():
        what_to_do = "Install it with: pip install 'parley[otel]'."
        if settings.otlp_url:
            raise SettingsError(
                "PARLEY_OTLP_URL needs OpenTelemetry, which is not installed.",
                f"{what_to_do} Or remove the setting.",
            )
        log.warning(
            "%s is set, but OpenTelemetry is not installed, so nothing is sent. %s", STANDARD, what_to_do
        )
        return None
    return url


FEATURE = Feature(
    name="telemetry",
    needs=("catalog",),
    build=_build,
    stop=lambda parts: parts[Telemetry].close(),
)
