"""Metrics for Prometheus: counters of requests, and gauges of the process."""

from collections.abc import Sequence

from parley.engine.observed_calls import ObservedCalls
from parley.engine.runner import Runner
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature
from parley.features.metrics.routes import routes
from parley.features.metrics.series import Sources
from parley.features.metrics.service import LoopLag, MetricsService
from parley.features.usage.folding import Folding
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.disk_space import free_bytes


def _build(parts: Parts) -> Sequence[object]:
    settings, runner, catalog, lag = parts[Settings], parts[Runner], parts[CatalogService], LoopLag()
    sources = Sources(
        models=lambda: (model.id for model in catalog.models()),
        turns_running=lambda: runner.playing - runner.queue.waiting,
        turns_waiting=lambda: runner.queue.waiting,
        loop_lag=lambda: lag.seconds,
        disk_free=lambda: free_bytes(settings.data_dir) or 0,
        folded_at=lambda: parts[Folding].folded_at,
    )
    key = settings.metrics_key.get_secret_value() if settings.metrics_key else None
    return lag, MetricsService(key, parts[ObservedCalls], sources)


async def _measure(parts: Parts) -> None:
    while parts[MetricsService].is_on:
        await parts[LoopLag].measure()


FEATURE = Feature(
    name="metrics",
    needs=("catalog", "usage"),
    build=_build,
    routes=(routes,),
    background=(_measure,),
)
