"""What members and arbiters of a consortium say in tests, and what a stream told of it."""

from collections.abc import Sequence
from typing import Any

SEATS = {"arbiter": "judge", "a": "ada", "b": "bob", "c": "cid"}


def member(answer: str, confidence: object = 0.8, thoughts: str = "Let me see.") -> str:
    """A member's reply in the form that it is asked for."""
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
    """An arbiter's reply in the form that it is asked for."""
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
    """The data of a stream's notes of one name ("verdict"), those of its opening snapshot too."""
    told = [note for event in events if event["kind"] == "turn.snapshot" for note in event["turn"]["notes"]]
    told += [event["note"] for event in events if event["kind"] == "note.added"]
    return [
        note["data"]
        for note in told
        if note["name"] == f"consortium.{name}/1"
        and number in (None, note["round"])
        and key in (None, note["key"])
    ]
