"""Ready-made roles and teams: texts that a person can start with."""

from typing import Any

CHAIRS = frozenset({"moderator", "judge"})
"""Roles, in lower case, that lead or rule in place of taking a side."""

ROLES = {
    "Proposer": "Put forward a concrete answer, with reasons, and improve it when a criticism is right.",
    "Critic": "Look for the weakest points of what was said: gaps, wrong steps, unclear terms. Say how to mend them.",
    "Devil's advocate": (
        "Assume that the view most members share is wrong. Make the best case against it, in good faith."
    ),
    "Fact checker": (
        "Check numbers, names, sources and logic. Say for each what is certain, likely, or cannot be known here."
    ),
    "Domain expert": (
        "Bring what practitioners of the field know: usual practice, exceptions, what goes wrong in real life."
    ),
    "Moderator": (
        "Take no side. Keep the discussion on the question, see that every view is heard, and sum up fairly."
    ),
}
"""The instructions of the ready roles."""

JUDGE = "Take no side. Weigh the arguments by their reasons, not by their number or length."
"""The instructions of a judge who has none."""


def _team(name: str, about: str, members: dict[str, str | None], **brief: object) -> dict[str, Any]:
    """Return a ready team: its members sit at a, b, c, … in this order."""
    seats = {
        seat: {"role": role, "instructions": instructions}
        for seat, (role, instructions) in zip("abcdefgh", members.items(), strict=False)
    }
    return {"name": name, "about": about, "brief": {"members": seats, **brief}}


TEAMS = [
    _team(
        "Design review",
        "Find what a design overlooks before it is built.",
        {
            "Proposer": "Explain the design in front of you as its author would, and improve it.",
            "Critic": None,
            "Operator": "Speak for those who run it: failure, recovery, cost, monitoring, upgrades.",
            "Domain expert": None,
        },
        strategy="critique",
        rounds=2,
    ),
    _team(
        "Research question",
        "Collect what is known, how certain it is, and what is open.",
        {"Domain expert": None, "Fact checker": None, "Devil's advocate": None, "Moderator": None},
        strategy="panel",
        rounds=3,
    ),
    _team(
        "Decision",
        "Weigh the options until a recommendation stands, with the case against it.",
        {"Proposer": None, "Devil's advocate": None, "Domain expert": None, "Moderator": None},
        strategy="debate",
        rounds=2,
    ),
    _team(
        "Debugging",
        "Narrow a fault down: hypotheses, evidence for each, the next test.",
        {
            "Investigator": "Name the likeliest causes in order, with the evidence for each.",
            "Skeptic": "Say which evidence fits another cause just as well, and what would tell them apart.",
            "Experimenter": "Propose the cheapest next test, and what each result would mean.",
        },
        strategy="round_robin",
        rounds=2,
    ),
    _team(
        "Writing",
        "Draft a text, have it read critically, and revise it.",
        {
            "Writer": "Write the text that was asked for, in full, and revise it after each reading.",
            "Editor": "Read for structure, tone and length. Quote the sentences that should change, and say into what.",
            "First reader": "Say where you stumbled, what you missed, and what stayed with you.",
        },
        strategy="critique",
        rounds=2,
    ),
    _team(
        "Risk",
        "Find how a plan could fail, and make it stronger.",
        {
            "Planner": "State the plan with its assumptions, and change it where an attack succeeds.",
            "Attacker": "Find the ways in which the plan fails or is abused; begin with the likeliest.",
            "Devil's advocate": None,
            "Fact checker": None,
        },
        strategy="red_team",
        rounds=2,
    ),
]
"""Ready teams for common tasks: `name`, `about`, and a `brief`."""
