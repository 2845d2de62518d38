"""Sends spans and metrics to a collector, in threads of its own. Without an answer, that costs a line in the log."""

import logging
import threading
from collections.abc import Sequence
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricExportResult, MetricsData, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from parley import __version__

log = logging.getLogger(__name__)

LOST_S = 5.0
"""Seconds for one attempt; a batch that can't be sent within them is dropped."""
CLOSING_S = 2.0
"""Seconds that the end of Parley waits for the last batch."""


class Reachability:
    """Logs once when a collector stops answering, and once when it answers again."""

    def __init__(self, url: str) -> None:
        self._place = urlsplit(url).netloc
        self._reached = True
        self._lock = threading.Lock()

    def note(self, *, reached: bool) -> None:
        """Note an attempt; safe in any thread."""
        with self._lock:
            changed, self._reached = reached != self._reached, reached
        if not changed:
            return
        if reached:
            log.warning("The collector at %s answers again.", self._place)
        else:
            log.warning(
                "Can't send traces and metrics to the collector at %s. They are dropped until it answers. "
                "Nothing else is affected. Check PARLEY_OTLP_URL.",
                self._place,
            )


class _Spans(OTLPSpanExporter):
    def __init__(self, url: str, reachability: Reachability) -> None:
        super().__init__(f"{url}/v1/traces", timeout=LOST_S)
        self._reachability = reachability

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        self._reachability.note(reached=result is SpanExportResult.SUCCESS)
        return result


class _Metrics(OTLPMetricExporter):
    def __init__(self, url: str, reachability: Reachability) -> None:
        super().__init__(f"{url}/v1/metrics", timeout=LOST_S)
        self._reachability = reachability

    def export(
        self, metrics_data: MetricsData, timeout_millis: float | None = 10_000, **kwargs: object
    ) -> MetricExportResult:
        # Its further options have no types.
        result = super().export(metrics_data, timeout_millis, **kwargs)  # pyright: ignore[reportUnknownMemberType]
        self._reachability.note(reached=result is MetricExportResult.SUCCESS)
        return result


class Exports:
    """The pipelines to one collector."""

    def __init__(self, url: str) -> None:
        """Starts their threads; `url` is the collector's, without `/v1/traces`."""
        # The library logs each failed attempt.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        reachability = Reachability(url)
        resource = Resource.create({"service.name": "parley", "service.version": __version__})
        self._tracing = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracing.add_span_processor(BatchSpanProcessor(_Spans(url, reachability)))
        reader = PeriodicExportingMetricReader(_Metrics(url, reachability))
        self._metering = MeterProvider([reader], resource, shutdown_on_exit=False)
        self.tracer = self._tracing.get_tracer("parley", __version__)
        self.meter = self._metering.get_meter("parley", __version__)

    def flush(self) -> None:
        """Send everything now; blocks."""
        self._tracing.force_flush()
        self._metering.force_flush()

    def close(self) -> None:
        """Send the last batch, as long as that takes no longer than `CLOSING_S`; blocks."""
        closing = threading.Thread(target=self._shut_down, daemon=True, name="closing-telemetry")
        closing.start()
        closing.join(CLOSING_S)

    def _shut_down(self) -> None:
        self._tracing.shutdown()
        self._metering.shutdown(timeout_millis=CLOSING_S * 1000)
