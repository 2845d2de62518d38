"""The terminal door: `parley serve`, `parley models`, `parley doctor`, `parley audit`."""

import logging


def main() -> None:
    """Run the command line. A ParleyError is told in two lines, without a stack trace, and exits with 2."""
    from parley.api.logs import VisibleFormatter
    from parley.cli.app import app
    from parley.cli.terminal import complain
    from parley.kernel.errors import ParleyError

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(VisibleFormatter())
    try:
        app(prog_name="parley")
    except ParleyError as error:
        complain(error.title, error.detail)
        raise SystemExit(2) from None
