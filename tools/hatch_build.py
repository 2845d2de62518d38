"""Completes a wheel with the page, built now, and the example of a model list."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompleteWheel(BuildHookInterface[Any]):
    """Runs tools/build_web.py with the build environment's own Node.js."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add both, unless the install is editable: there make builds the page."""
        if version == "editable":
            return
        root = Path(self.root)
        subprocess.run([sys.executable, str(root / "tools" / "build_web.py"), "build"], cwd=root, check=True)
        example = root / "config" / "models.example.yaml"
        build_data["force_include"][str(example)] = "parley/models.example.yaml"
