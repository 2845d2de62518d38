"""The installed plug-ins of Python: packages with an entry point in the group `parley`."""

import importlib.metadata
from collections.abc import Sequence

from parley.features.plug_ins.schemas import InstalledPlugIn
from parley.plugins.hookspecs import PROJECT
from parley.plugins.registry import Registry


def installed_plug_ins(registry: Registry) -> Sequence[InstalledPlugIn]:
    """Return each installed plug-in, with the hooks that it implements or why it was skipped."""
    problems = {problem.plugin: problem.reason for problem in registry.problems}
    plug_ins: list[InstalledPlugIn] = []
    for entry in importlib.metadata.entry_points(group=PROJECT):
        package = entry.dist
        plug_ins.append(
            InstalledPlugIn(
                name=entry.name,
                package=package.name if package else entry.value,
                version=package.version if package else "",
                hooks=list(registry.hooks.get(entry.name, ())),
                problem=problems.get(entry.name),
            )
        )
    return sorted(plug_ins, key=lambda each: each.name)
