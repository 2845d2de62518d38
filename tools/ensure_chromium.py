"""Finds a Chromium for the browser tests, or tries to install one, or says loudly that there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    "chromium-headless-shell",  # without a browser's own windows: a quarter less of the processor
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "msedge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def main() -> int:
    """Make sure of a browser; without one the exit code is 0 too: the browser tests themselves then fail or skip."""
    found = find_chromium()
    if found is None:
        print("No Chromium here; trying to install one …", flush=True)
        install()
        found = find_chromium()
    if found:
        print(f"Browser tests use {found}")
        return 0
    rule = "!" * 80
    sys.stderr.write(
        f"{rule}\nNo Chromium could be found or installed: the browser tests cannot run. Install Chromium or\n"
        f"Chrome, or run: .venv/bin/playwright install chromium\n{rule}\n"
    )
    return 0


def find_chromium() -> str | None:
    """Return the path of a system Chromium or Chrome, else of Playwright's, else None."""
    named = os.environ.get("CHROMIUM")  # noqa: TID251
    candidates = [named, *(shutil.which(name) for name in NAMES), *PLACES, *_of_playwright()]
    return next((path for path in candidates if path and Path(path).is_file()), None)


def install() -> None:
    """Try apt where that is allowed, then Playwright's own download."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}  # noqa: TID251
        subprocess.run(["apt-get", "-qq", "update"], check=False, env=quiet)
        for package in ("chromium-headless-shell", "chromium"):
            command = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", package]
            subprocess.run(command, check=False, env=quiet, stdout=subprocess.DEVNULL)
            if find_chromium():
                return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False, timeout=600)


def _of_playwright() -> list[str]:
    caches = (".cache/ms-playwright", "Library/Caches/ms-playwright", "AppData/Local/ms-playwright")
    ends = (
        "chrome-linux*/chrome",
        "chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
        "chrome-win*/chrome.exe",
    )
    return sorted(
        (
            str(path)
            for cache in caches
            for end in ends
            for path in (Path.home() / cache).glob(f"chromium-*/{end}")
        ),
        reverse=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
