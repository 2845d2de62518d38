"""Metrics of model calls, by OpenTelemetry's conventions for generative models."""

from opentelemetry.metrics import Meter

from parley.features.telemetry.attributes import Attributes
from parley.kernel.calls import CallEnded

TOKENS = [4**power for power in range(14)]
SECONDS = [0.01 * 2**power for power in range(14)]
"""The boundaries of buckets that the conventions name."""

_SHARED = (
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "server.address",
    "server.port",
)


class Instruments:
    """Counts tokens and times. No attribute names a person, and models are only those of the catalog."""

    def __init__(self, meter: Meter) -> None:
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage",
            "{token}",
            "Tokens of a model call.",
            explicit_bucket_boundaries_advisory=TOKENS,
        )
        self._duration = meter.create_histogram(
            "gen_ai.client.operation.duration",
            "s",
            "Seconds of a model call.",
            explicit_bucket_boundaries_advisory=SECONDS,
        )

    def record(self, ended: CallEnded, attributes: Attributes) -> None:
        """Count a request that was sent to a provider."""
        shared: Attributes = {name: attributes[name] for name in _SHARED if name in attributes}
        for kind, tokens in (("input", ended.input_tokens), ("output", ended.output_tokens)):
            if tokens:
                self._tokens.record(tokens, {**shared, "gen_ai.token.type": kind})
        failure: Attributes = {"error.type": ended.code} if ended.code else {}
        self._duration.record(ended.duration_ms / 1000, shared | failure)
