"""The demo's characters: what tells them apart is style and speed."""

from dataclasses import dataclass

from parley.kernel.models import Prices


@dataclass(frozen=True)
class Character:
    """A demo model. `name` is used in the catalog and the data files, never in replies.

    `takes_pictures`: it can be tried with them, and says that it cannot look at them. `calls_tools`: rules
    stand in for what a model would do with tables and tools.
    """

    name: str
    family: str
    description: str
    prices: Prices | None
    tokens_per_second: float
    first_token_s: float
    takes_pictures: bool = False
    calls_tools: bool = False


CHARACTERS: dict[str, Character] = {
    f"demo-{character.name.lower()}": character
    for character in (
        Character(
            "Ada",
            "Parley Steps",
            "Thorough: headings, numbered steps, tables. Shows its reasoning.",
            Prices(0.6, 2.4),
            80,
            0.5,
            takes_pictures=True,
            calls_tools=True,
        ),
        Character(
            "Pico",
            "Parley Swift",
            "Terse and quick. Rounds numbers where others calculate.",
            Prices(0.05, 0.2),
            180,
            0.1,
        ),
        Character("Lyra", "Parley Verse", "Answers in verse and keeps the facts straight.", None, 45, 0.6),
        Character(
            "Maieu",
            "Parley Dialogue",
            "Leads you to the answer with questions.",
            Prices(0.2, 0.8),
            60,
            0.35,
        ),
        Character(
            "Vera",
            "Parley Steps",
            "Sceptical: claim, basis, objection, confidence. Shows its reasoning.",
            Prices(0.9, 3.6),
            95,
            0.8,
        ),
        Character(
            "Tilo",
            "Parley Swift",
            "A friendly tutor in plain paragraphs.",
            Prices(0.1, 0.4),
            120,
            0.25,
            takes_pictures=True,
            calls_tools=True,
        ),
        Character(
            "Echo",
            "Parley Dialogue",
            "Listens, reflects your words back and asks follow-up questions.",
            None,
            35,
            0.4,
        ),
    )
}
"""The characters by model id."""
