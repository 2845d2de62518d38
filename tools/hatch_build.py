"""Builds the page before a wheel is packed; an editable install leaves that to make."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildPage(BuildHookInterface):
    """Runs tools/build_web.py with the build environment's own Node.js."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless the install is editable."""
        if version != "editable":
            root = Path(self.root)
            subprocess.run([sys.executable, str(root / "tools" / "build_web.py"), "build"], cwd=root, check=True)
