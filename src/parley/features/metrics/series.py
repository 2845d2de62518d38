"""The series of `/metrics`. No label names a person, and those of models are as many as the catalog has."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from parley.features.metrics.tallies import Tally
from parley.kernel.calls import CallEnded

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0, 12.0, 30.0, 60.0, 120.0, 300.0)
MICROS = 1_000_000
OTHER = "other"
"""The label of a model that is not in the catalog: callers of the API may write any name."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The sources of gauges, each read when somebody looks."""

    models: Callable[[], Iterable[str]]
    turns_running: Callable[[], int]
    turns_waiting: Callable[[], int]
    loop_lag: Callable[[], float]
    disk_free: Callable[[], int]
    folded_at: Callable[[], float]


class Series:
    """The counters of requests, and gauges of the process. Made when metrics are on: the library loads then."""

    def __init__(self, sources: Sources) -> None:
        from prometheus_client import (
            CollectorRegistry,
            Histogram,
            ProcessCollector,
            disable_created_metrics,
        )

        disable_created_metrics()
        self.registry: CollectorRegistry = CollectorRegistry()
        self._models = sources.models
        self._known: frozenset[str] = frozenset()
        registry = self.registry
        by_route = ("model", "provider", "mode", "status")
        self._requests = Tally("parley_requests", "Requests to models.", by_route)
        self._tokens = Tally(
            "parley_tokens", "Tokens; input includes cached, output includes reasoning.", ("model", "kind")
        )
        self._cost = Tally("parley_cost_usd", "Cost in US dollars.", ("model",))
        self._unpriced = Tally("parley_unpriced_requests", "Requests without a price.", ())
        self._cached = Tally("parley_cached_answers", "Answers from the cache.", ())
        self._tallies = (self._requests, self._tokens, self._cost, self._unpriced, self._cached)
        self._unpriced.add(0)
        self._cached.add(0)
        self._first = Histogram(
            "parley_first_token_seconds",
            "Seconds to the first token, by provider.",
            ["provider"],
            buckets=SECONDS,
            registry=registry,
        )
        self._duration = Histogram(
            "parley_request_seconds",
            "Seconds of completed requests, by provider.",
            ["provider"],
            buckets=SECONDS,
            registry=registry,
        )
        _add_gauges(registry, sources)
        ProcessCollector(registry=registry)

    def count(self, ended: CallEnded) -> None:
        """Count a request."""
        model, provider = self._label(ended.model_id), ended.provider_id or ""
        self._requests.add(1, model, provider, ended.mode or "", ended.outcome)
        for kind, tokens in (
            ("input", ended.input_tokens),
            ("output", ended.output_tokens),
            ("cached", ended.cached_tokens),
            ("reasoning", ended.reasoning_tokens),
        ):
            if tokens:
                self._tokens.add(tokens, model, kind)
        if ended.cost_micros is None:
            self._unpriced.add(1)
        elif ended.cost_micros:
            self._cost.add(ended.cost_micros / MICROS, model)
        if ended.from_cache:
            self._cached.add(1)
        elif ended.outcome == "completed":
            self._duration.labels(provider).observe(ended.duration_ms / 1000)
            if ended.first_token_ms is not None:
                self._first.labels(provider).observe(ended.first_token_ms / 1000)

    def text(self) -> bytes:
        """Return all series in Prometheus's text format."""
        from prometheus_client import generate_latest

        tallies = "".join(tally.text() for tally in self._tallies)
        return generate_latest(self.registry) + tallies.encode()

    def _label(self, model_id: str) -> str:
        if model_id not in self._known:
            self._known = frozenset(self._models())
        return model_id if model_id in self._known else OTHER


def _add_gauges(registry: "CollectorRegistry", sources: Sources) -> None:
    from prometheus_client import Gauge

    gauges: tuple[tuple[str, str, Callable[[], float]], ...] = (
        ("parley_models", "Models in the catalog.", lambda: sum(1 for _ in sources.models())),
        ("parley_turns_running", "Turns that run.", sources.turns_running),
        ("parley_turns_waiting", "Turns that wait for a place.", sources.turns_waiting),
        ("parley_loop_lag_seconds", "The latest delay of the event loop.", sources.loop_lag),
        ("parley_disk_free_bytes", "Free bytes on the data folder's disk.", sources.disk_free),
        ("parley_usage_folded_timestamp_seconds", "When usage was last counted.", sources.folded_at),
    )
    for name, about, read in gauges:
        Gauge(name, about, registry=registry).set_function(read)
