/** Experts with roles discuss, a person steps in, one of them writes the synthesis. What is heavy loads when it is shown. */

import { UsersRound } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Estimate } from "@/features/lineup/lazy-parts";
import { Chips, Dock, Match, Saved } from "@/features/team/lazy-parts";
import { MODE_STRINGS } from "@/features/team/mode-strings";
import { planTeam } from "@/features/team/plan";
import { SAYING } from "@/features/team/saying";

export const mode: ModeFeature = {
  name: "team",
  icon: UsersRound,
  newLabel: MODE_STRINGS.newTeam,
  headline: MODE_STRINGS.headline,
  subline: MODE_STRINGS.subline,
  examples: MODE_STRINGS.examples,
  follows: "page",
  announces: true,
  placeholder: (record) => (record ? MODE_STRINGS.followUpPlaceholder : MODE_STRINGS.askPlaceholder),
  plan: planTeam,
  saying: SAYING,
  Match,
  Dock,
  Chips,
  Estimate,
  Saved,
};
