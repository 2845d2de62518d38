"""The settings of a consortium, under the names that llm-consortium gave them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from parley.kernel.mode import Brief

Judging: TypeAlias = Literal["default", "rank", "pick-one"]
StrategyName: TypeAlias = Literal["default", "voting", "elimination", "role", "council"]

MOST_ITERATIONS = 10
MAX_RULES_CHARS = 30_000
MAX_ROLE_CHARS = 2_000

RoleText = Annotated[str, Field(min_length=1, max_length=MAX_ROLE_CHARS)]


def _share(value: object) -> object:
    """Read a share as people write it: 0.85, "0,85", "85%", 85 (from 2 upwards a number is a percentage)."""
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
        description="What every member is told beside the question; the arbiter keeps to it too.",
    )
    confidence_threshold: Annotated[float, BeforeValidator(_share)] = Field(
        default=0.8,
        title="Confidence threshold",
        ge=0,
        le=1,
        allow_inf_nan=False,
        description=(
            "How sure the arbiter must be to stop before the last round, from 0 to 1; “85%” and 85 are read as 0.85."
        ),
    )
    max_iterations: int = Field(
        default=3,
        title="Most rounds",
        ge=1,
        le=MOST_ITERATIONS,
        description="The consortium always ends after this many rounds.",
    )
    minimum_iterations: int = Field(
        default=1,
        title="Fewest rounds",
        ge=1,
        le=MOST_ITERATIONS,
        description="It does not end before this round, however sure the arbiter is.",
    )
    judging_method: Judging = Field(
        default="default",
        title="Judging",
        description=(
            "default: the arbiter writes a synthesis. rank: it ranks the answers, and the best one stands. "
            "pick-one: it picks one answer, which stands as it is."
        ),
    )
    strategy: StrategyName = Field(
        default="default",
        title="Strategy",
        description=(
            "default: every member answers in every round. voting: only the largest group of similar answers goes to "
            "the arbiter. elimination: the lowest ranked leave. role: each member has a part to play. council: "
            "members rank each other's answers first."
        ),
    )
    elimination_delay: int = Field(
        default=1,
        title="Rounds before elimination",
        ge=0,
        le=MOST_ITERATIONS,
        description="elimination: nobody leaves before the end of this round.",
    )
    elimination_count: int = Field(
        default=1,
        title="Members that leave",
        ge=1,
        le=9,
        description="elimination: how many leave after a round; at least two always stay.",
    )
    elimination_fraction: float | None = Field(
        default=None,
        title="Share that leaves",
        gt=0,
        lt=1,
        description="elimination: the share of the members that leaves after a round, in place of a number.",
    )
    roles: dict[str, RoleText] | None = Field(
        default=None,
        title="Roles",
        max_length=10,
        description="role: the part of each seat (a, b, c, …); seats without one get the built-in parts in turn.",
    )
    reveal_names: bool = Field(
        default=False,
        title="Show model names to the arbiter",
        description="By default the arbiter sees “Member 1, 2, …”, in another order every round.",
    )
    manual_context: bool = Field(
        default=False,
        title="Each round stands alone",
        description="A member hears what was said before as one text instead of as a conversation.",
    )
    stream_individual_responses: bool = Field(
        default=True,
        title="Show members while they write",
        description="Whether the page shows the members' answers as they come, or only once a round is judged.",
    )

    @field_validator("minimum_iterations")
    @classmethod
    def _within_the_most(cls, value: int, info: ValidationInfo) -> int:
        most = info.data.get("max_iterations", MOST_ITERATIONS)
        if value > most:
            raise ValueError(f"must not be more than max_iterations ({most})")
        return value
