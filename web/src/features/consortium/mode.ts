/** Several models answer in rounds, an arbiter concludes. What is heavy loads when it is first shown. */

import { Combine } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Chips, Match, Nothing } from "@/features/consortium/lazy-parts";
import { Picture } from "@/features/consortium/picture";
import { planConsortium, SAVED } from "@/features/consortium/plan";
import { Estimate, savedOf } from "@/features/lineup/lazy-parts";

export const mode: ModeFeature = {
  name: "consortium",
  icon: Combine,
  newLabel: "New consortium",
  sentence: "Models answer in rounds until they agree.",
  Picture,
  examples: {
    demo: [
      "Should our company introduce a four-day week?",
      "Should I rent or buy a flat?",
      "Should a small team write its backend in Rust?",
    ],
    real: [
      "Is a heat pump worth it in a home from 1970?",
      "How much should I save for retirement at 40?",
      "What would it take to move a small shop online?",
    ],
  },
  follows: "page",
  announces: true,
  placeholder: (record) => (record ? "Ask a follow-up…" : "Ask a consortium anything…"),
  plan: planConsortium,
  Match,
  Dock: Nothing,
  Chips,
  Estimate,
  Saved: savedOf("consortium", SAVED),
};
