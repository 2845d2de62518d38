"""Checks that the documents match the code; --write regenerates the generated ones."""

import importlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import openapi
import sbom
from check_sizes import ROOT, tracked_files
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from parley.api.contract import Contract
from parley.application import built_in_routes
from parley.settings import PREFIX, Settings
from parley.settings_loading import variable_names

SETTINGS = ROOT / "docs" / "reference" / "settings.md"
OPENAPI = ROOT / "docs" / "reference" / "openapi.json"
PERMISSIONS = ROOT / "docs" / "reference" / "permissions.md"
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
FLAGS = ("host", "port", "data_dir", "config", "models", "log_level")


def main(arguments: list[str]) -> int:
    """Print every fault; return 1 if there is one."""
    if arguments == ["--write"]:
        SETTINGS.write_text(settings_document(), encoding="utf-8")
        OPENAPI.write_bytes(openapi.document())
        PERMISSIONS.write_text(permissions_document(), encoding="utf-8")
        sbom.DOCUMENT.write_text(sbom.document(), encoding="utf-8")
        return 0
    faults = list(generated_faults())
    commands, targets = parley_commands(), make_targets()
    for name in tracked_files():
        if name.endswith(".md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            faults.extend(f"{name}: {fault}" for fault in document_faults(name, text, commands, targets))
    faults.extend(glossary_faults(GLOSSARY.read_text(encoding="utf-8")))
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def generated_faults() -> Iterator[str]:
    """Yield the generated documents that are out of date."""
    for path, text, command in (
        (SETTINGS, settings_document(), "make fix"),
        (OPENAPI, openapi.document().decode(), "make openapi"),
        (PERMISSIONS, permissions_document(), "make fix"),
        (sbom.DOCUMENT, sbom.document(), "make fix"),
    ):
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(ROOT)} is not what the code says now: run “{command}”"


CLIENTS_READ = ("PARLEY_API_KEY", "PARLEY_URL")
"""Variables of `parley mcp` and of the plugin of llm, which are no settings of a server."""


def document_faults(name: str, text: str, commands: set[str], targets: set[str]) -> Iterator[str]:
    """Yield commands, variables and files that a document names but that do not exist."""
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))
    for word in re.findall(r"(?:^|[`\s])make ([a-z][a-z-]*)", code):
        if word not in targets:
            yield f"there is no “make {word}”"
    for word in re.findall(r"(?:^|`|\| |exec parley |\w=\S+ )parley ([a-z][a-z-]*)", code, re.MULTILINE):
        if word not in commands:
            yield f"there is no “parley {word}”"
    for word in re.findall(rf"\b{PREFIX}[A-Z_]+\b", text):
        if word not in {*variable_names(), *CLIENTS_READ}:
            yield f"there is no variable {word}"
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if (
            "://" not in link
            and not link.startswith("mailto:")
            and not (ROOT / name).parent.joinpath(link).exists()
        ):
            yield f"links to {link}, which is not there"


def glossary_faults(text: str) -> Iterator[str]:
    """Yield names in the glossary's column "in the code" that do not exist."""
    for word, place in re.findall(r"^\| ([^|]+) \|.*\| `(parley[\w.]*)` \|$", text, re.MULTILINE):
        module, _, attribute = place.rpartition(".")
        try:
            found = hasattr(importlib.import_module(module), attribute)
        except ImportError:
            found = False
        if not found:
            yield f"docs/reference/glossary.md: {word}: there is no {place}"


def settings_document() -> str:
    """Return the reference of all settings."""
    rows = "\n".join(settings_row(name, field) for name, field in Settings.model_fields.items())
    return f"""# Settings

<!-- Generated from src/parley/settings.py by “make fix”. -->

A setting comes from a flag of `parley serve`, else from the environment, else from the settings file, else
from its default. The settings file is the one that `--config` or `{PREFIX}CONFIG` names, else `./parley.yaml` if
you trust it (`parley trust`); `${{NAME}}` and `${{NAME:-default}}` in it are read from the environment, and its paths
are relative to the file. A mistake stops the start and names its flag, its variable, or its file and line.

| in the file | variable | flag | type | default | meaning |
|---|---|---|---|---|---|
{rows}
"""


def settings_row(name: str, field: FieldInfo) -> str:
    """Return one setting as a row of the table."""
    flag = (
        f"`--{name.replace('_', '-')}`" if name in FLAGS else "`--no-open`" if name == "open_browser" else ""
    )
    in_file = "" if name == "config" else f"`{name}`"
    default = default_text(name, field)
    return f"| {in_file} | `{PREFIX}{name.upper()}` | {flag} | {type_text(field)} | {default} | {field.description} |"


def default_text(name: str, field: FieldInfo) -> str:
    """Return a default as a person would write it; describe defaults that depend on the machine."""
    words = {"data_dir": "the user's data folder", "database_url": "SQLite in the data folder"}
    if name in words:
        return words[name]
    value: Any = field.get_default()
    if value is None or value == () or value is PydanticUndefined:
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def type_text(field: FieldInfo) -> str:
    """Return a type in plain words."""
    annotation = str(field.annotation)
    if annotation.startswith("typing.Literal"):
        return ", ".join(f"`{choice}`" for choice in re.findall(r"'([^']+)'", annotation))
    words = {"str": "text", "int": "whole number", "float": "number", "bool": "`true` or `false`"}
    plain = getattr(field.annotation, "__name__", annotation)
    return words.get(plain, "path" if "Path" in annotation else "list")


def permissions_document() -> str:
    """Return the table of permissions, from the contracts of all routes."""
    contracts = sorted(
        (contract for routes in built_in_routes() for contract in routes.contracts),
        key=lambda contract: (contract.path, contract.method),
    )
    rows = "\n".join(
        f"| `{contract.method}` | `{contract.path}` | {contract.needs or 'anyone'} | {answer_text(contract)} |"
        for contract in contracts
    )
    return f"""# Permissions

<!-- Generated from the routes by “make fix”. -->

Who may use which route. Each route states it where it is declared, in `src/parley/features/*/routes.py`; a review of
this table is a review of all permissions. `read`: what everyone shares. `talk`: one's own sessions, turns, votes and
presets. `manage`: change what everyone shares. A route without a scope is closed.

| method | path | needs | answers with |
|---|---|---|---|
{rows}
"""


def answer_text(contract: Contract) -> str:
    """Return what a route answers with, in a few words."""
    kinds = [f"`{kind.__name__}`" for kind in contract.answers]
    kinds += [f"events (`{contract.stream.name}`)"] if contract.stream else []
    kinds += ["a file"] if contract.downloads else []
    return " or ".join(kinds) or "nothing"


def parley_commands() -> set[str]:
    """Return the commands of the command line."""
    from parley.cli.app import SUMMARIES

    return set(SUMMARIES)


def make_targets() -> set[str]:
    """Return the targets of the Makefile."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", text, re.MULTILINE))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
