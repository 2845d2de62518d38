"""Checks of installed plugins, which are the same for the whole process."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast

from parley.features.lab.checks.contract import CheckedAnswer, Plugged, Verdict
from parley.text.plain_words import did_you_mean

PluggedCheck: TypeAlias = Callable[[CheckedAnswer, Mapping[str, object]], Awaitable[Verdict]]

LIMIT_S = 60.0
log = logging.getLogger(__name__)
_installed: dict[str, PluggedCheck] = {}


class NotInstalled(Exception):
    """No installed plugin has a check of this name."""


def install(checks: Mapping[str, PluggedCheck]) -> None:
    """Use these checks of installed plugins from now on."""
    _installed.clear()
    _installed.update(checks)


def refuse(check: Plugged) -> None:
    """Raise NotInstalled for a check that no plugin has."""
    if check.name not in _installed:
        near = did_you_mean(check.name, _installed)
        raise NotInstalled(f"No installed plug-in has a check named “{check.name}”{near}.")


async def plugged(check: Plugged, answer: CheckedAnswer) -> Verdict:
    """Ask the plugin; the verdict is open if it fails. Raises NotInstalled."""
    refuse(check)
    try:
        async with asyncio.timeout(LIMIT_S):
            verdict = cast("object", await _installed[check.name](answer, check.settings))
    except TimeoutError:
        return _open(f"The check “{check.name}” took longer than {LIMIT_S:g} s.")
    except Exception as error:
        log.warning("The check %s of a plug-in failed.", check.name, exc_info=True)
        return _open(f"The check “{check.name}” failed: {type(error).__name__}.")
    return verdict if isinstance(verdict, Verdict) else _open(f"The check “{check.name}” gave no verdict.")


def _open(reason: str) -> Verdict:
    return Verdict(passed=None, score=0, reason=reason)
