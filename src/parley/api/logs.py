"""What the server logs: lines in which no text of others can command a terminal."""

import copy
import logging
from typing import Any

from parley.text.controls import visible


class VisibleFormatter(logging.Formatter):
    """Formats as usual, tracebacks too, and makes control characters visible."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's lines."""
        return visible(super().format(record))


def log_config(*, every_line: bool = False) -> dict[str, Any]:
    """Return uvicorn's configuration of logs with this formatter; `every_line`: with what Parley notes itself."""
    from uvicorn.config import LOGGING_CONFIG

    config = copy.deepcopy(LOGGING_CONFIG)
    formatter = {"()": VisibleFormatter, "fmt": "%(levelname)s: %(message)s"}
    config["formatters"] = dict.fromkeys(config["formatters"], formatter)
    if every_line:
        config["loggers"]["parley"] = {"handlers": ["default"], "level": "INFO"}
    return config
