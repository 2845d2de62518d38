"""The command line: `parley serve`, `parley models`, `parley doctor` and the others."""

import io
import logging
import sys


def main() -> None:
    """Run the command line. Print a ParleyError without a stack trace, and exit with 2."""
    from parley.api.logs import VisibleFormatter
    from parley.cli.app import app
    from parley.cli.terminal import print_error
    from parley.kernel.errors import ParleyError

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(VisibleFormatter())
    out: object = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        # A model may say what the output's encoding does not have, as on Windows.
        out.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="parley")
    except ParleyError as error:
        print_error(error.title, error.detail)
        raise SystemExit(2) from None
