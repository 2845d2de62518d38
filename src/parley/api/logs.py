"""Log lines in which no text can send control sequences to a terminal."""

import copy
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from parley.text.controls import visible


class VisibleFormatter(logging.Formatter):
    """Formats records, tracebacks too, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's lines, escaped."""
        return visible(super().format(record))


REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered, if ids are given."""


def request_id_header() -> dict[str, str]:
    """Return the header that takes the id of the request along to a model's server; empty outside a request."""
    request_id = REQUEST_ID.get()
    return {"X-Request-ID": request_id} if request_id else {}


class JsonFormatter(logging.Formatter):
    """Formats each record as one line of JSON, with the id of its request."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON; control characters are escaped by the format."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := REQUEST_ID.get()) is not None:
            line["request_id"] = request_id
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def log_config(*, every_line: bool = False, kind: Literal["text", "json"] = "text") -> dict[str, Any]:
    """Return uvicorn's log configuration with one of these formatters; `every_line` adds Parley's own log."""
    from uvicorn.config import LOGGING_CONFIG

    config = copy.deepcopy(LOGGING_CONFIG)
    formatter: dict[str, Any] = {"()": VisibleFormatter, "fmt": "%(levelname)s: %(message)s"}
    if kind == "json":
        formatter = {"()": JsonFormatter}
    config["formatters"] = dict.fromkeys(config["formatters"], formatter)
    if every_line or kind == "json":
        config["loggers"]["parley"] = {"handlers": ["default"], "level": "INFO" if every_line else "WARNING"}
    return config
