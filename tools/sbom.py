"""Writes the software bill of materials from the lock files: what a wheel needs, and what its page is built from.

The format is CycloneDX 1.6 (ECMA-424). The same lock files give the same bytes.
"""

import base64
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
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


_EXPRESSION = re.compile(r"\(?[A-Za-z0-9.+-]+(?:\)? (?:AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*")
_LONGEST_LICENCE = 80
_SPDX = {
    "MIT License": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "Modified BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "PSF": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
"""Names that packages give to licences, as SPDX has them."""
_PYTHON_LICENCES = {"colorama": "BSD-3-Clause", "httpx2-jsfetch": "BSD-3-Clause", "pywin32": "PSF-2.0"}
"""Those of packages that only other systems install, or that state none."""
_NPM_LICENCES = {"khroma": "MIT"}
"""Those of packages of the page that state none in package.json."""


class Property(msgspec.Struct, frozen=True):
    """A fact that the format has no field for."""

    name: str
    value: str


class Hash(msgspec.Struct, frozen=True):
    """A digest of the package's archive."""

    alg: str
    content: str


class LicenceName(msgspec.Struct, frozen=True):
    """A licence by the name that its package gives it."""

    name: str


class Licence(msgspec.Struct, frozen=True, omit_defaults=True):
    """A licence: an SPDX expression, or a name where the package has no expression."""

    expression: str = ""
    license: LicenceName | None = None


class Component(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"bom_ref": "bom-ref"}):
    """One package. `type` is always written: the format requires it."""

    type: str
    bom_ref: str
    purl: str
    name: str
    version: str
    scope: str = ""
    hashes: tuple[Hash, ...] = ()
    licenses: tuple[Licence, ...] = ()
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
        yield msgspec.structs.replace(
            component, properties=properties, licenses=(python_licence(found["name"]),)
        )


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
            component,
            hashes=hashes,
            licenses=(_licence(package.get("license") or _NPM_LICENCES[name]),),
            scope="optional" if package.get("optional") else "",
        )


def python_licence(name: str) -> Licence:
    """Return the licence that an installed package states; one for another system is in a table. Raises SystemExit."""
    if name in _PYTHON_LICENCES:
        return _licence(_PYTHON_LICENCES[name])
    for stated in _stated(name):
        if stated and len(stated) <= _LONGEST_LICENCE:
            return _licence(_SPDX.get(stated, stated))
    raise SystemExit(f"{name} states no licence: add it to _PYTHON_LICENCES in tools/sbom.py.")


def _stated(name: str) -> Iterator[str]:
    """Yield what an installed package says of its licence, the clearest first."""
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return
    for field in ("License-Expression", "License"):
        yield from about.get_all(field) or ()
    for classifier in about.get_all("Classifier") or ():
        if classifier.startswith("License :: OSI Approved :: "):
            yield classifier.rpartition(" :: ")[2]


def _licence(stated: str) -> Licence:
    return (
        Licence(expression=stated) if _EXPRESSION.fullmatch(stated) else Licence(license=LicenceName(stated))
    )


def _component(kind: str, ecosystem: str, name: str, version: str) -> Component:
    purl = f"pkg:{ecosystem}/{quote(name, safe='/')}@{version}"
    return Component(type=kind, bom_ref=purl, purl=purl, name=name, version=version)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
