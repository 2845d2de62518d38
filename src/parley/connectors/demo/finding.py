"""What a skill worked out, apart from any style: the material that a character puts into words."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """A small table; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [self.head, tuple("---" for _ in self.head), *self.rows]
        return "\n".join(
            "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
        )


@dataclass(frozen=True)
class Code:
    """A piece of code with its language's name for the fence."""

    language: str
    source: str

    def markdown(self) -> str:
        """Return the code as a fenced block."""
        return f"```{self.language}\n{self.source.strip()}\n```"


@dataclass(frozen=True)
class Finding:
    """The result of a real computation or a look-up.

    `answer` is one or two sentences that stand alone; `rough` is the same, rounded as a hasty
    person would, where that makes sense. `work` is a text that *is* the answer (a poem, a
    summary), shown whole. `value` is a number that a follow-up can go on with. `talk`: small talk,
    which no style should make much of. `note` is a sentence that stands in front whatever the style:
    in which way this is not what was asked for.
    """

    topic: str
    answer: str
    note: str | None = None
    rough: str | None = None
    steps: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    table: Table | None = None
    code: Code | None = None
    work: str | None = None
    example: str | None = None
    caveat: str | None = None
    check: str | None = None
    related: tuple[str, ...] = ()
    value: float | None = None
    confident: bool = True
    talk: bool = False
    method: str = ""
    facts: tuple[tuple[str, str], ...] = field(default=())
