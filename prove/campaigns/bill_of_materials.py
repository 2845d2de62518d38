"""The software bill of materials against what is really there: an installation, a page, a wheel."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from packaging.markers import Marker

from prove.campaign import Batch, Skipped, Tally

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "reference" / "sbom.cdx.json"
LOCK = ROOT / "requirements.lock"
UV = Path(sys.executable).parent / "uv"
Package: TypeAlias = tuple[str, str]
"""Name and version."""

NOT_OURS = ("rolldown", "vite")
"""What a bundler puts into a page of its own: its runtime, named by a path within itself."""


class BillOfMaterials:
    """Three trials, each at the real thing: an empty environment, a page with source maps, a built wheel."""

    name = "bill-of-materials"
    guarantee = (
        "The software bill of materials lists exactly the Python packages of an installation from the lock, "
        "and every package whose code is in the page; a wheel carries it."
    )
    trials = 3
    batch = 3
    sample = 1

    def run(self, batch: Batch) -> Tally:
        """Compare the document of this state of the code."""
        return self._compare(batch, msgspec.json.decode(DOCUMENT.read_bytes()))

    def control(self, batch: Batch) -> Tally:
        """Compare a document that misses a package and has another in an older version."""
        bill = msgspec.json.decode(DOCUMENT.read_bytes())
        bill["components"] = [it for it in bill["components"] if it["name"] not in ("starlette", "react-dom")]
        for component in bill["components"]:
            if component["name"] == "pydantic":
                component["version"] = "1.0"
        return self._compare(msgspec.structs.replace(batch, count=min(batch.count, 2)), bill)

    def summary(self, tally: Tally) -> str:
        """Say how many packages were compared."""
        python, page = (sum(tally.figures.get(name, [])) for name in ("python", "page"))
        return f"{python:.0f} Python packages installed, {page:.0f} packages found in the page's code"

    def _compare(self, batch: Batch, bill: dict[str, Any]) -> Tally:
        tally = Tally()
        for trial in range(batch.first, min(batch.first + batch.count, self.trials)):
            (self._installation, self._page, self._wheel)[trial](batch.folder, bill, tally)
            tally.trials += 1
            batch.step()
        return tally

    def _installation(self, folder: Path, bill: dict[str, Any], tally: Tally) -> None:
        listed = {(_normal(name), version) for name, version in _listed(bill, "pypi")}
        found = installed(folder / "environment")
        tally.note("python", len(found))
        tally.failures += [f"{' '.join(it)} is installed, and is not listed" for it in sorted(found - listed)]
        tally.failures += [f"{' '.join(it)} is listed, and is not installed" for it in sorted(listed - found)]

    def _page(self, folder: Path, bill: dict[str, Any], tally: Tally) -> None:
        found = bundled(folder / "page")
        tally.note("page", len(found))
        missing = sorted(found - _listed(bill, "npm"))
        tally.failures += [f"{' '.join(it)} is in the page, and is not listed" for it in missing]

    def _wheel(self, folder: Path, bill: dict[str, Any], tally: Tally) -> None:
        _called(UV, "build", "--quiet", "--wheel", "--no-build-isolation", "--out-dir", folder / "dist")
        (wheel,) = (folder / "dist").glob("*.whl")
        with zipfile.ZipFile(wheel) as opened:
            (inside,) = (name for name in opened.namelist() if name.endswith("/sboms/sbom.cdx.json"))
            if msgspec.json.decode(opened.read(inside)) != bill:
                tally.failures.append(f"{inside} in the wheel is another document")


def installed(environment: Path) -> set[Package]:
    """Install the lock into an empty environment; return what is there then."""
    _called(UV, "venv", "--quiet", "--python", sys.executable, environment)
    python = next(
        path for path in (environment / "bin/python", environment / "Scripts/python.exe") if path.exists()
    )
    install = (UV, "pip", "install", "--quiet", "--python", python, "--require-hashes", "-r", LOCK)
    try:
        _called(*install)
    except subprocess.CalledProcessError as failed:
        raise Skipped(f"the lock cannot be installed here: {failed.stderr.decode()[-200:]}") from failed
    listed = msgspec.json.decode(_called(UV, "pip", "list", "--format", "json", "--python", python))
    return {(_normal(it["name"]), it["version"]) for it in listed}


def bundled(folder: Path) -> set[Package]:
    """Build the page with source maps; return the packages that they name, by the versions in node_modules."""
    build = ROOT / "tools" / "build_web.py"
    _called(sys.executable, build, "run", "bundle", "--outDir", folder, "--sourcemap", "--emptyOutDir")
    found: set[Package] = set()
    for written in folder.rglob("*.map"):
        for source in msgspec.json.decode(written.read_bytes())["sources"]:
            inside = re.search(r"(?:^|/)(node_modules/(?:.*/node_modules/)?((?:@[^/]+/)?[^/]+))/", source)
            if inside and inside[2] not in NOT_OURS:
                package = msgspec.json.decode((ROOT / "web" / inside[1] / "package.json").read_bytes())
                found.add((package["name"], package["version"]))
    if not found:
        raise Skipped("the source maps of the page name no package")
    return found


def _listed(bill: dict[str, Any], ecosystem: str) -> set[Package]:
    """Return the packages that are listed for this system."""
    mine = (it for it in bill["components"] if it["purl"].startswith(f"pkg:{ecosystem}/"))
    return {(it["name"], it["version"]) for it in mine if _applies(it)}


def _applies(component: dict[str, Any]) -> bool:
    markers = [it["value"] for it in component.get("properties", ()) if it["name"] == "parley:marker"]
    return all(Marker(marker).evaluate() for marker in markers)


def _normal(name: str) -> str:
    """Return a name as PEP 503 compares them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _called(*command: object) -> bytes:
    return subprocess.run([str(it) for it in command], cwd=ROOT, check=True, capture_output=True).stdout


CAMPAIGNS = [BillOfMaterials()]
