"""Spans of requests, turns and model calls, by the conventions of OpenTelemetry for generative models.

No span names a person or has a text of them, unless the setting `otlp_texts` is on. Spans are for who runs Parley: they
name the models of blind matches, as `/metrics` does.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import context, trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from parley.engine.accounting import RequestBegun
from parley.engine.live_turn import LiveTurn
from parley.features.telemetry.attributes import Attributes, attributes_of, result_of, texts_of
from parley.features.telemetry.instruments import Instruments
from parley.kernel.calls import CallEnded
from parley.kernel.errors import NotFound
from parley.kernel.ports import Catalog

_CALL: ContextVar[Span | None] = ContextVar("model_call", default=None)
"""The span of the model call that runs in this task. It is set and never reset by a token, since a call is a generator
that may be closed in another task than it began in.
"""

NS = 1_000_000_000


class RequestOfApi:
    """The span of one request to the API."""

    def __init__(self, span: Span, method: str) -> None:
        self._span = span
        self._method = method

    def answer(self, status: int, route: str, request_id: str | None) -> None:
        """Note the answer."""
        self._span.update_name(f"{self._method} {route}")
        self._span.set_attributes({"http.response.status_code": status, "http.route": route})
        if request_id is not None:
            self._span.set_attribute("parley.request.id", request_id)
        if status >= 500:
            self._span.set_attribute("error.type", str(status))
            self._span.set_status(Status(StatusCode.ERROR))


class Spans:
    """Opens and ends the spans of requests, turns and model calls."""

    def __init__(self, tracer: Tracer, instruments: Instruments, catalog: Catalog, *, texts: bool) -> None:
        """`texts`: spans of model calls hold the prompts and replies, but for those of sealed sessions."""
        self._tracer = tracer
        self._instruments = instruments
        self._catalog = catalog
        self._texts = texts
        self._open: dict[str, tuple[Span, RequestBegun, Attributes]] = {}

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Generator[RequestOfApi]:
        """Enter the span of a request to the API, within the trace that its `traceparent` names."""
        sent = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        outer = TraceContextTextMapPropagator().extract(sent)
        attributes = {"http.request.method": method}
        with self._tracer.start_as_current_span(
            method, outer, SpanKind.SERVER, attributes, record_exception=False
        ) as span:
            yield RequestOfApi(span, method)

    @contextmanager
    def turn(self, live: LiveTurn) -> Generator[None]:
        """Enter the span of a turn that is played."""
        match = live.match
        attributes = {
            "gen_ai.conversation.id": match.session_id,
            "parley.mode": match.mode,
            "parley.match.id": match.id,
            "parley.turn.id": live.id,
            "parley.blind": match.blind,
        }
        with self._tracer.start_as_current_span(
            f"turn {match.mode}", attributes=attributes, record_exception=False
        ) as span:
            yield
            span.set_attribute("parley.turn.status", live.status)
            if live.error is not None:
                span.set_attribute("error.type", live.error.code)
                span.set_status(Status(StatusCode.ERROR))

    def begun(self, begun: RequestBegun) -> None:
        """Open the span of a request to a model."""
        try:
            provider = self._catalog.provider(begun.provider_id)
        except NotFound:
            provider = None
        attributes = attributes_of(begun, provider)
        operation = f"{attributes['gen_ai.operation.name']} {attributes['gen_ai.request.model']}"
        span = self._tracer.start_span(operation, kind=SpanKind.CLIENT, attributes=attributes)
        self._open[begun.call_id] = span, begun, attributes
        if self._texts and span.is_recording() and not begun.call.sealed:
            begun.meter.words = []
        _CALL.set(span)

    def ended(self, ended: CallEnded) -> None:
        """End the span of a request to a model; one that was never sent gets its span now."""
        opened = self._open.pop(ended.call_id, None) if ended.provider_id is not None else None
        if opened is None:
            self._add_unsent(ended)
            return
        span, begun, attributes = opened
        _CALL.set(None)
        usage = begun.meter.usage
        span.set_attributes(result_of(ended, usage.model if usage else ""))
        if begun.meter.words is not None:
            span.set_attributes(texts_of(begun.messages, "".join(begun.meter.words)))
        _end(span, ended)
        self._instruments.record(ended, attributes)

    def headers(self) -> Mapping[str, str]:
        """Return the header that continues the trace at a model's server; nothing outside a trace."""
        span = _CALL.get() or trace.get_current_span()
        carrier: dict[str, str] = {}
        if span.get_span_context().is_valid:
            TraceContextTextMapPropagator().inject(
                carrier, trace.set_span_in_context(span, context.Context())
            )
        # What a caller's `tracestate` says is no concern of a model's server.
        return {name: value for name, value in carrier.items() if name == "traceparent"}

    def _add_unsent(self, ended: CallEnded) -> None:
        attributes: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": ended.model_id,
            "parley.from_cache": ended.from_cache,
        }
        started_ns = int(ended.started_at * NS)
        span = self._tracer.start_span(f"chat {ended.model_id}", attributes=attributes, start_time=started_ns)
        span.set_attributes(result_of(ended, ""))
        _end(span, ended, started_ns + ended.duration_ms * 1_000_000)


def _end(span: Span, ended: CallEnded, at_ns: int | None = None) -> None:
    if ended.code is not None:
        span.set_status(Status(StatusCode.ERROR))
    span.end(at_ns)
