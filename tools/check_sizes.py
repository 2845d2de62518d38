"""Checks sizes, names and first sentences of Python modules, and sizes of the page's modules."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE_LINES = 350
FUNCTION_LINES = 40
FORBIDDEN_NAMES = frozenset({"utils", "helpers", "common", "core", "manager", "base"})
VAGUE_NAMES = frozenset({"asked", "found", "said", "given", "told", "kept"})
"""A value is named by what it is in the field, not by the verb that fetched it."""

QUESTION_WORDS = frozenset({"What", "Whether", "Which", "How", "Where"})
"""A docstring says what a caller gets; it does not begin with a question."""

EXEMPT_FROM_LENGTH = ("tests/", "bench/", "prove/")
GENERATED = ("src/parley/storage/migrations/versions/", "web/src/api/__generated__/")


def main() -> int:
    """Print every fault; return 1 if there is one."""
    faults = [fault for name in tracked_files() for fault in look_at(name)]
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def tracked_files() -> list[str]:
    """Return the files of the repository, new ones that are not ignored among them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def look_at(name: str) -> Iterator[str]:
    """Yield what is wrong with one file."""
    path = Path(name)
    if path.suffix in (".py", ".ts", ".tsx"):
        for part in (*path.parent.parts, path.name.split(".")[0]):
            if part.lower() in FORBIDDEN_NAMES:
                yield f"{name}: nothing is called “{part}”: name it after what it holds"
    if name.startswith(GENERATED):
        return
    if path.suffix == ".py":
        yield from module_faults(name, (ROOT / name).read_text(encoding="utf-8"))
    elif name.startswith("web/src/") and path.suffix in (".ts", ".tsx"):
        lines = len((ROOT / name).read_text(encoding="utf-8").splitlines())
        if lines > MODULE_LINES:
            yield f"{name}: {lines} lines; {MODULE_LINES} is the alarm"


def module_faults(name: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a Python module: its length, its first sentence, long functions."""
    lines = len(text.splitlines())
    exempt = name.startswith(EXEMPT_FROM_LENGTH)
    if lines > MODULE_LINES and not exempt:
        yield f"{name}: {lines} lines; {MODULE_LINES} is the alarm"
    tree = ast.parse(text)
    if tree.body:
        yield from first_sentence_faults(name, ast.get_docstring(tree))
    if exempt:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = function_lines(node)
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines; at most {FUNCTION_LINES}"
    if name.startswith("src/"):
        yield from wording_faults(name, tree)


def wording_faults(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield vague names of values, and docstrings that begin with a question."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=value) | ast.Name(id=value, ctx=ast.Store()) if value in VAGUE_NAMES:
                yield f"{name}:{node.lineno}: “{value}”: name the value by what it is"
            case ast.Expr(value=ast.Constant(value=str(text))) if text.split(maxsplit=1)[:1]:
                first = text.split(maxsplit=1)[0]
                if first in QUESTION_WORDS:
                    yield f"{name}:{node.lineno}: a docstring does not begin with “{first}”"
            case _:
                pass


def first_sentence_faults(name: str, docstring: str | None) -> Iterator[str]:
    """Yield a fault unless the docstring opens with one sentence of its own."""
    if not docstring:
        yield f"{name}: opens with one sentence that says what it is"
        return
    first = " ".join(docstring.split("\n\n")[0].split())
    if not first.endswith((".", "…", ":")):
        yield f"{name}: its first sentence does not end"


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function's body; its signature and docstring do not count."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0


if __name__ == "__main__":
    raise SystemExit(main())
