"""The terminal door: `parley serve`, `parley models`, `parley doctor`, `parley audit`."""

import sys


def main() -> None:
    """Run the command line. A ParleyError is told in two lines, without a stack trace, and exits with 2."""
    from parley.cli.app import app
    from parley.kernel.errors import ParleyError

    try:
        app(prog_name="parley")
    except ParleyError as error:
        sys.stderr.write(f"error: {error.title}\n")
        for line in (error.detail or "").splitlines():
            sys.stderr.write(f"       {line}\n")
        raise SystemExit(2) from None
