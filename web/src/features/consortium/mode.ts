/** Several models answer in rounds, an arbiter concludes. What is heavy loads when it is first shown. */
import { Combine } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { ConsortiumChips } from "@/features/consortium/consortium-chips";
import { Commands, Estimate, Match, Nothing, Saved } from "@/features/consortium/lazy-parts";
import { planConsortium } from "@/features/consortium/plan";

export const mode: ModeFeature = {
  name: "consortium",
  icon: Combine,
  newLabel: "New consortium",
  headline: "Let several models agree on an answer.",
  subline: "They answer in rounds; an arbiter writes what they know together and says how sure it is.",
  keepsFocus: true,
  follows: "page",
  announces: true,
  placeholder: (record) => (record ? "Ask the consortium something further…" : "Ask a consortium anything…"),
  plan: planConsortium,
  Match,
  Dock: Nothing,
  Chips: ConsortiumChips,
  Estimate,
  Saved,
  Commands,
};
