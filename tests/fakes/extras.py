"""Tests of optional packages: skipped with a reason that names the extra, where it is not installed."""

import pytest


def needs(package: str, extra: str) -> None:
    """Skip the test unless a package can be imported."""
    pytest.importorskip(package, reason=f"{package} is missing: pip install 'parley[{extra}]' adds it.")
