/** Chosen models side by side, each with its own history. What is heavy loads when it is first shown. */

import { Columns3 } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Dock, Match } from "@/features/compare/lazy-parts";
import { Picture } from "@/features/compare/picture";
import { Chips, Estimate, savedOf } from "@/features/lineup/lazy-parts";
import { planLineup } from "@/features/lineup/plan";

export const mode: ModeFeature = {
  name: "compare",
  icon: Columns3,
  newLabel: "New comparison",
  sentence: "Two to six models of your choice, side by side.",
  Picture,
  examples: {
    demo: [
      "Compare SQLite and PostgreSQL",
      "Write a haiku about rate limits",
      "Write a short poem about the sea",
      "Explain recursion",
    ],
    real: [
      "Name five small towns in Europe for a quiet week",
      "Explain compound interest to a ten-year-old",
      "Write a short thank-you note to a neighbour",
      "Is it better to learn Spanish or Portuguese first?",
    ],
  },
  follows: "page",
  placeholder: (record) => (record ? "Ask them all a follow-up…" : "Ask them all…"),
  plan: planLineup,
  Match,
  Dock,
  Chips,
  Estimate,
  Saved: savedOf("compare"),
};
