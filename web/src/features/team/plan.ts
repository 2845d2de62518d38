/** What the next prompt does in a team. Pure. */

import type { Choosing, Plan } from "@/features/arena/mode-feature";
import { planRounds } from "@/features/rounds/plan";
import { lastPlan } from "@/features/team/input-words";
import { teamRoles, withoutIdleMembers } from "@/features/team/roles";

const LEAST_SPEAKERS = 2;

/** The same team goes on in its match; another one carries on from what was last written. */
export const planTeam = (situation: Choosing): Plan =>
  planRounds(situation, {
    tidy: withoutIdleMembers,
    writer: (record) => lastPlan(record)?.writer ?? record.match.seats[0]?.name,
    obstacle: (info, lineup) =>
      teamRoles(info, lineup).speakers.length < LEAST_SPEAKERS
        ? "A team needs two members besides its moderator or judge"
        : null,
  });
