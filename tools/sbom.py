"""Writes the software bill of materials from the lock files: what a wheel needs, and what its page is built from.

The format is CycloneDX 1.6 (ECMA-424). The same lock files give the same bytes.
"""

import base64
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reference" / "sbom.cdx.json"
PROJECT = ROOT / "pyproject.toml"
PYTHON_LOCK = ROOT / "requirements.lock"
PAGE_LOCK = ROOT / "web" / "package-lock.json"
MARKER = "parley:marker"
"""Names the property with the environment marker of a package that only some systems need."""

_PINNED = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\\n]+?))?\s*\\?$", re.MULTILINE
)


class Property(msgspec.Struct, frozen=True):
    """A fact that the format has no field for."""

    name: str
    value: str


class Hash(msgspec.Struct, frozen=True):
    """A digest of the package's archive."""

    alg: str
    content: str


class Component(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"bom_ref": "bom-ref"}):
    """One package. `type` is always written: the format requires it."""

    type: str
    bom_ref: str
    purl: str
    name: str
    version: str
    scope: str = ""
    hashes: tuple[Hash, ...] = ()
    properties: tuple[Property, ...] = ()


class Metadata(msgspec.Struct, frozen=True):
    """What the document is about."""

    component: Component


class Bill(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The document."""

    bom_format: str = "CycloneDX"
    spec_version: str = "1.6"
    version: int = 1
    metadata: Metadata
    components: tuple[Component, ...]


def main(arguments: list[str]) -> int:
    """Write the document."""
    if arguments:
        sys.stderr.write(f"usage: sbom.py\n\n{__doc__}")
        return 2
    DOCUMENT.write_text(document(), encoding="utf-8")
    return 0


def document() -> str:
    """Return the document as JSON."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    bill = Bill(
        metadata=Metadata(_component("application", "pypi", project["name"], project["version"])),
        components=(*python_components(PYTHON_LOCK), *page_components(PAGE_LOCK)),
    )
    return msgspec.json.format(msgspec.json.encode(bill), indent=1).decode() + "\n"


def python_components(lock: Path) -> Iterator[Component]:
    """Yield the packages of a lock file; those that only some systems need carry their marker."""
    for found in _PINNED.finditer(lock.read_text(encoding="utf-8")):
        marker = found["marker"]
        properties = (Property(MARKER, marker),) if marker else ()
        component = _component("library", "pypi", found["name"], found["version"])
        yield msgspec.structs.replace(component, properties=properties)


def page_components(lock: Path) -> Iterator[Component]:
    """Yield the packages that the page is built from; tools of its development are left out."""
    packages: dict[str, dict[str, Any]] = msgspec.json.decode(lock.read_bytes())["packages"]
    seen: set[str] = set()
    for place, package in packages.items():
        if not place or package.get("dev"):
            continue
        name = package.get("name") or place.rpartition("node_modules/")[2]
        component = _component("library", "npm", name, package["version"])
        if component.purl in seen:
            continue
        seen.add(component.purl)
        algorithm, _, digest = str(package.get("integrity", "")).partition("-")
        hashes = (Hash("SHA-512", base64.b64decode(digest).hex()),) if algorithm == "sha512" else ()
        yield msgspec.structs.replace(
            component, hashes=hashes, scope="optional" if package.get("optional") else ""
        )


def _component(kind: str, ecosystem: str, name: str, version: str) -> Component:
    purl = f"pkg:{ecosystem}/{quote(name, safe='/')}@{version}"
    return Component(type=kind, bom_ref=purl, purl=purl, name=name, version=version)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
