"""The seats and settings of a team."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from parley.kernel.mode import Brief
from parley.kernel.seats import Group, Seating
from parley.modes.team.ready import ROLES, TEAMS

SeatName = Annotated[str, Field(max_length=32)]
StrategyName: TypeAlias = Literal["round_robin", "debate", "trial", "critique", "panel", "red_team"]

MEMBER = "member"
MOST_MEMBERS = 8
MOST_ROUNDS = 10
SEATING = Seating(groups=(Group(MEMBER, 2, MOST_MEMBERS),), settings=True)


class Member(BaseModel):
    """The role of one seat. A ready role needs no instructions; own ones replace the ready ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    role: str = Field(
        title="Role",
        min_length=1,
        max_length=60,
        pattern=r"^[^\[\]<>\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*\w[^\[\]<>\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$",
    )
    instructions: str | None = Field(default=None, title="Instructions", max_length=2_000)


def _with_ready_ones(schema: dict[str, Any]) -> None:
    """Tell clients the ready-made roles and teams: the briefs of teams need a model for each member."""
    schema["x-roles"] = [{"role": role, "instructions": text} for role, text in ROLES.items()]
    schema["x-teams"] = TEAMS


class TeamBrief(Brief):
    """Settings of one team. The models are not here: they sit on the match's seats."""

    model_config = ConfigDict(json_schema_extra=_with_ready_ones)

    members: dict[SeatName, Member] = Field(
        default={},
        title="Members",
        max_length=MOST_MEMBERS,
        description="The role of each seat (a, b, c, …). Other seats get the ready roles in order.",
    )
    strategy: StrategyName = Field(
        default="debate",
        title="Strategy",
        description=(
            "round_robin: one after another, each hears all before. debate: all answer, then revise after hearing "
            "the others. trial: a proponent and opponents argue before a judge. critique: one drafts, the others "
            "criticize, the first revises. panel: a moderator chooses who speaks. red_team: one proposes, the others "
            "attack, the first defends."
        ),
    )
    rounds: int = Field(
        default=2, title="Rounds", ge=1, le=MOST_ROUNDS, description="How many rounds before the synthesis."
    )
    pause: Literal["each_round", "never"] = Field(
        default="never",
        title="Pause",
        description=(
            "each_round: wait for you after each round. never: run to the synthesis. You can step in meanwhile."
        ),
    )
    writer: SeatName | None = Field(
        default=None,
        title="Synthesis by",
        description="The seat that writes the synthesis. By default the moderator or judge, else the first member.",
    )
    instructions: str | None = Field(
        default=None, title="Instructions", max_length=30_000, description="Sent to every member."
    )
    max_tokens: int | None = Field(
        default=None,
        title="Token cap",
        ge=1,
        le=1_000_000_000,
        description=(
            "No call starts once a question has used this many tokens, read and written; one call at most goes beyond. "
            "A synthesis that you ask for then is still written."
        ),
    )
    max_cost_usd: float | None = Field(
        default=None,
        title="Cost cap in dollars",
        gt=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="The same for money. Models without a price do not count.",
    )
