/** Chosen models side by side, each with its own history. What is heavy loads when it is first shown. */

import { Columns3 } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Dock, Match } from "@/features/compare/lazy-parts";
import { MODE_STRINGS } from "@/features/compare/mode-strings";
import { Chips, Estimate, savedOf } from "@/features/lineup/lazy-parts";
import { planLineup } from "@/features/lineup/plan";

export const mode: ModeFeature = {
  name: "compare",
  icon: Columns3,
  newLabel: MODE_STRINGS.newComparison,
  headline: MODE_STRINGS.headline,
  subline: MODE_STRINGS.subline,
  follows: "page",
  placeholder: (record) => (record ? MODE_STRINGS.followUpPlaceholder : MODE_STRINGS.askPlaceholder),
  plan: planLineup,
  Match,
  Dock,
  Chips,
  Estimate,
  Saved: savedOf("compare"),
};
