"""Programming languages as people name them."""

import re

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("JavaScript", r"javascript|js|node(?:\.?js)?"), ("TypeScript", r"typescript|ts"), ("Python", r"python ?3?|py"),
    ("SQL", r"sql|postgres(?:ql)?|mysql|sqlite"), ("Bash", r"bash|shell"), ("CSS", r"css"), ("C++", r"c\+\+|cpp"),
    ("C#", r"c#|c sharp"), ("F#", r"f#"), ("Go", r"golang|(?<=in )go|go(?= (?:function|program|code))"),
    ("C", r"(?<=in )c|c(?= (?:function|program|code))"), ("R", r"(?<=in )r|r(?= (?:function|program|code|script))"),
    ("Objective-C", r"objective-?c"), ("PHP", r"php"), ("COBOL", r"cobol"), ("MATLAB", r"matlab"), ("OCaml", r"ocaml"),
    ("PowerShell", r"powershell"),
    *((name, name.lower()) for name in (
        "Rust", "Java", "Ruby", "Kotlin", "Swift", "Haskell", "Scala", "Perl", "Lua", "Elixir", "Erlang", "Clojure",
        "Julia", "Dart", "Zig", "Fortran", "Pascal", "Lisp", "Scheme", "Prolog", "Assembly")),
)  # fmt: skip
_COMPILED = tuple(
    (name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w+#])", re.IGNORECASE)) for name, pattern in _PATTERNS
)
ANY_LANGUAGE = "|".join(pattern.replace("(?<=in )", "") for _, pattern in _PATTERNS)
"""A pattern for the name of any language, for a place where only a language can stand."""


def language_in(text: str) -> str | None:
    """Return the first language that a text names, as it is written properly."""
    hits = [(match.start(), name) for name, pattern in _COMPILED if (match := pattern.search(text))]
    return min(hits)[1] if hits else None
