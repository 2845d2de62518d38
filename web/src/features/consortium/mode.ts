/** Several models answer in rounds, an arbiter concludes. What is heavy loads when it is first shown. */

import { Combine } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Chips, Match, Nothing } from "@/features/consortium/lazy-parts";
import { MODE_STRINGS, SAVED } from "@/features/consortium/mode-strings";
import { planConsortium } from "@/features/consortium/plan";
import { Estimate, savedOf } from "@/features/lineup/lazy-parts";

export const mode: ModeFeature = {
  name: "consortium",
  icon: Combine,
  newLabel: MODE_STRINGS.newConsortium,
  headline: MODE_STRINGS.headline,
  subline: MODE_STRINGS.subline,
  follows: "page",
  announces: true,
  placeholder: (record) => (record ? MODE_STRINGS.followUpPlaceholder : MODE_STRINGS.askPlaceholder),
  plan: planConsortium,
  Match,
  Dock: Nothing,
  Chips,
  Estimate,
  Saved: savedOf("consortium", SAVED),
};
