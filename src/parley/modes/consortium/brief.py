"""The seats and settings of a consortium, with the names that llm-consortium uses."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from parley.kernel.mode import Brief
from parley.kernel.seats import Group, Seating
from parley.text.agreement.similarity import VOTING_THRESHOLD

Judging: TypeAlias = Literal["default", "rank", "pick-one"]
StrategyName: TypeAlias = Literal["default", "voting", "elimination", "role", "council"]

ARBITER = "arbiter"
MEMBER = "member"
MOST_MEMBERS = 10
SEATING = Seating(groups=(Group(ARBITER), Group(MEMBER, 1, MOST_MEMBERS)))

MOST_ITERATIONS = 10
MAX_RULES_CHARS = 30_000
MAX_ROLE_CHARS = 2_000

RoleText = Annotated[str, Field(min_length=1, max_length=MAX_ROLE_CHARS)]


def _share(value: object) -> object:
    """Parse a share: 0.85, "0,85", "85%" or 85; numbers from 2 are percentages."""
    if isinstance(value, str):
        text = value.strip().replace(",", ".")
        try:
            return float(text.removesuffix("%")) / 100 if text.endswith("%") else _share(float(text))
        except ValueError:
            raise ValueError("must be a number from 0 to 1, or a percentage such as 85%") from None
    if isinstance(value, int | float) and not isinstance(value, bool) and 2 <= value <= 100:
        return value / 100
    return value


class ConsortiumBrief(Brief):
    """Settings of one consortium. The models and the arbiter are not here: they are the match's seats."""

    system_prompt: str | None = Field(
        default=None,
        title="Instructions",
        max_length=MAX_RULES_CHARS,
        description="Sent to every member with the question. The arbiter follows it too.",
    )
    confidence_threshold: Annotated[float, BeforeValidator(_share)] = Field(
        default=0.8,
        title="Confidence threshold",
        ge=0,
        le=1,
        allow_inf_nan=False,
        description=(
            "Confidence at which the consortium stops early, from 0 to 1, such as 0.85. “85%” is read as 0.85."
        ),
    )
    max_iterations: int = Field(
        default=3,
        title="Max rounds",
        ge=1,
        le=MOST_ITERATIONS,
        description="The consortium stops after this many rounds.",
    )
    minimum_iterations: int = Field(
        default=1,
        title="Min rounds",
        ge=1,
        le=MOST_ITERATIONS,
        description="The consortium runs at least this many rounds, whatever the confidence.",
    )
    judging_method: Judging = Field(
        default="default",
        title="Judging",
        description=(
            "default: the arbiter writes a synthesis. rank: it ranks the answers and keeps the best one. "
            "pick-one: it picks one answer and keeps it unchanged."
        ),
    )
    strategy: StrategyName = Field(
        default="default",
        title="Strategy",
        description=(
            "default: every member answers in every round. voting: only the largest group of similar answers goes to "
            "the arbiter. elimination: the lowest ranked members drop out. role: each member has a role. council: "
            "members rank each other's answers first."
        ),
    )
    similarity_threshold: Annotated[float, BeforeValidator(_share)] = Field(
        default=VOTING_THRESHOLD,
        title="Similarity threshold",
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="voting: from this similarity on, from 0 to 1, two answers count as one opinion.",
    )
    elimination_delay: int = Field(
        default=1,
        title="Rounds before elimination",
        ge=0,
        le=MOST_ITERATIONS,
        description="elimination: no member drops out before the end of this round.",
    )
    elimination_count: int = Field(
        default=1,
        title="Members eliminated per round",
        ge=1,
        le=9,
        description="elimination: how many members drop out after each round. At least two stay.",
    )
    elimination_fraction: float | None = Field(
        default=None,
        title="Share eliminated per round",
        gt=0,
        lt=1,
        description="elimination: the share of members that drops out after each round. Replaces the number.",
    )
    roles: dict[str, RoleText] | None = Field(
        default=None,
        title="Roles",
        max_length=10,
        description="role: the role of each seat (a, b, c, …). Other seats get the built-in roles in order.",
    )
    reveal_names: bool = Field(
        default=False,
        title="Show model names to the arbiter",
        description="By default the arbiter sees “Member 1, 2, …” in a new order each round.",
    )
    manual_context: bool = Field(
        default=False,
        title="Send context as one text",
        description="Members get earlier messages as one text instead of a conversation.",
    )
    stream_individual_responses: bool = Field(
        default=True,
        title="Stream member answers",
        description="Show member answers as they are written, or only after each round is judged.",
    )

    @field_validator("minimum_iterations")
    @classmethod
    def _within_the_most(cls, value: int, info: ValidationInfo) -> int:
        most = info.data.get("max_iterations", MOST_ITERATIONS)
        if value > most:
            raise ValueError(f"must not be more than max_iterations ({most})")
        return value
