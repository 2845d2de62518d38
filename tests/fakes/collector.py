"""A collector of OpenTelemetry on loopback: it decodes what arrives by OTLP over HTTP, as real ones do."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

_KINDS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


class Collector:
    """What arrived. `bodies` are the bytes of all requests, to look for what must not be in them."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[bytes] = []
        self.spans: list[dict[str, Any]] = []
        self.metrics: dict[str, list[dict[str, Any]]] = {}
        self.resource: dict[str, Any] = {}

    def take(self, path: str, body: bytes) -> None:
        """Decode a request. Raises KeyError, DecodeError."""
        message = _KINDS[path]()
        message.ParseFromString(body)
        self.bodies.append(body)
        document = MessageToDict(message)
        for of_resource in document.get("resourceSpans", []):
            self.resource = _attributes(of_resource["resource"])
            for scope in of_resource["scopeSpans"]:
                self.spans += [{**span, "attributes": _attributes(span)} for span in scope["spans"]]
        for of_resource in document.get("resourceMetrics", []):
            for metric in (each for scope in of_resource["scopeMetrics"] for each in scope["metrics"]):
                points = metric["histogram"]["dataPoints"]
                self.metrics[metric["name"]] = [
                    {**point, "attributes": _attributes(point)} for point in points
                ]

    def named(self, beginning: str) -> list[dict[str, Any]]:
        """Return the spans whose name begins so."""
        return [span for span in self.spans if span["name"].startswith(beginning)]


@contextmanager
def a_collector() -> Generator[Collector]:
    """Run a collector on a free port."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self.path, self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base class has it
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _attributes(document: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in document.get("attributes", [])}
