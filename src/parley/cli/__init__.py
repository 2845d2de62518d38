"""The command line: `parley serve`, `parley models`, `parley doctor` and the others."""

import logging


def main() -> None:
    """Run the command line. Print a ParleyError without a stack trace, and exit with 2."""
    from parley.api.logs import VisibleFormatter
    from parley.cli.app import app
    from parley.cli.terminal import print_error
    from parley.kernel.errors import ParleyError

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(VisibleFormatter())
    try:
        app(prog_name="parley")
    except ParleyError as error:
        print_error(error.title, error.detail)
        raise SystemExit(2) from None
