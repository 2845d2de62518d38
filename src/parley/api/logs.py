"""Log lines in which no text can send control sequences to a terminal."""

import copy
import logging
from typing import Any

from parley.text.controls import visible


class VisibleFormatter(logging.Formatter):
    """Formats records, tracebacks too, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's lines, escaped."""
        return visible(super().format(record))


def log_config(*, every_line: bool = False) -> dict[str, Any]:
    """Return uvicorn's log configuration with this formatter; `every_line` adds Parley's own log."""
    from uvicorn.config import LOGGING_CONFIG

    config = copy.deepcopy(LOGGING_CONFIG)
    formatter = {"()": VisibleFormatter, "fmt": "%(levelname)s: %(message)s"}
    config["formatters"] = dict.fromkeys(config["formatters"], formatter)
    if every_line:
        config["loggers"]["parley"] = {"handlers": ["default"], "level": "INFO"}
    return config
