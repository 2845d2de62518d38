"""The route of metrics."""

from fastapi import Request, Response

from parley.api.contract import ANYONE, Routes
from parley.api.deps import App
from parley.features.metrics.service import MetricsService

routes = Routes(tag="metrics", needs=ANYONE)

TEXT = "text/plain"


@routes.get("/metrics", downloads=(TEXT,), errors=("metrics_off", "metrics_key"))
async def read_metrics(request: Request, app: App) -> Response:
    """Read the metrics in Prometheus's format. Needs the setting `metrics_key` as a bearer token."""
    text = app[MetricsService].read(request.headers.get("authorization", ""))
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")
