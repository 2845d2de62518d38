"""What members and writers of a team say in tests."""


def statement(text: str, answers: str = "none", position: str = "As I said.", changed: str = "no") -> str:
    """Return a member's reply in the requested format."""
    return f"{text}\n\nAnswers: {answers}\nPosition: {position}\nChanged my mind: {changed}"


def synthesis(
    recommendation: str,
    *,
    consensus: str = "None.",
    disagreements: str = "None.",
    assumptions: str = "None.",
    minority: str = "None.",
) -> str:
    """Return a synthesis with its five parts, each with one point."""
    return (
        f"## Consensus\n- {consensus}\n## Disagreements\n- {disagreements}\n## Assumptions\n- {assumptions}\n"
        f"## Recommendation\n- {recommendation}\n## Minority report\n- {minority}\n"
    )
