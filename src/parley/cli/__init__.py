"""The command line: `parley serve`, `parley models`, `parley doctor` and the others."""

import errno
import io
import logging
import os
import sys


def main() -> None:
    """Run the command line. Print a ParleyError without a stack trace, and exit with 2."""
    from parley.api.logs import VisibleFormatter
    from parley.cli.app import add_commands_of_features, app
    from parley.cli.terminal import print_error
    from parley.kernel.errors import ParleyError
    from parley.storage.private import owner_only

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(VisibleFormatter())
    out: object = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        # A model may say what the output's encoding does not have, as on Windows.
        out.reconfigure(errors="backslashreplace")
    try:
        with owner_only():  # what is exported is as private as where it comes from
            add_commands_of_features(sys.argv[1:])
            app(prog_name="parley")
    except ParleyError as error:
        print_error(error.title, error.detail)
        raise SystemExit(2) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        # What is still in the buffer would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print_error(
            "The output can't be written: no space is left there.", "Answers are saved in their session."
        )
        raise SystemExit(2) from None
