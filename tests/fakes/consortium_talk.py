"""What members and arbiters of a consortium say in tests, and what a stream showed of it."""

from collections.abc import Sequence
from typing import Any

SEATS = {"arbiter": "judge", "a": "ada", "b": "bob", "c": "cid"}


def member(answer: str, confidence: object = 0.8, thoughts: str = "Let me see.") -> str:
    """Return a member's reply in the requested format."""
    return (
        f"<thought_process>\n{thoughts}\n</thought_process>\n<answer>\n{answer}\n</answer>\n"
        f"<confidence>\n{confidence}\n</confidence>"
    )


def arbiter(
    synthesis: str,
    confidence: object = 0.9,
    *,
    more: bool | str = False,
    areas: Sequence[str] = (),
    dissent: str = "",
    ranking: Sequence[int] = (),
) -> str:
    """Return an arbiter's reply in the requested format."""
    items = "".join(f"<area>{area}</area>\n" for area in areas)
    ranks = "".join(f'<rank position="{at}">{place}</rank>\n' for at, place in enumerate(ranking, 1))
    return (
        "<synthesis_output>\n<first_impression>Much in common.</first_impression>\n"
        f"<analysis>They agree.</analysis>\n<dissent>{dissent}</dissent>\n<synthesis>\n{synthesis}\n</synthesis>\n"
        f"<confidence>{confidence}</confidence>\n<refinement_areas>\n{items}</refinement_areas>\n"
        f"<needs_iteration>{str(more).lower()}</needs_iteration>\n"
        + (f"<ranking>\n{ranks}</ranking>\n" if ranking else "")
        + "</synthesis_output>"
    )


def notes(
    events: Sequence[dict[str, Any]], name: str, *, number: int | None = None, key: str | None = None
) -> list[Any]:
    """Return the data of a stream's notes of one name ("verdict"), including those of its first snapshot."""
    found = [note for event in events if event["kind"] == "turn.snapshot" for note in event["turn"]["notes"]]
    found += [event["note"] for event in events if event["kind"] == "note.added"]
    return [
        note["data"]
        for note in found
        if note["name"] == f"consortium.{name}/1"
        and number in (None, note["round"])
        and key in (None, note["key"])
    ]
