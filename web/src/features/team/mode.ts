/** Experts with roles discuss, a person steps in, one of them writes the synthesis. What is heavy loads when it is shown. */

import { UsersRound } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Estimate } from "@/features/lineup/lazy-parts";
import { INPUT_WORDS } from "@/features/team/input-words";
import { Chips, Dock, Match, Saved } from "@/features/team/lazy-parts";
import { Picture } from "@/features/team/picture";
import { planTeam } from "@/features/team/plan";

export const mode: ModeFeature = {
  name: "team",
  icon: UsersRound,
  newLabel: "New team",
  sentence: "Models with roles discuss it in rounds. You can step in.",
  Picture,
  examples: {
    demo: ["Should a small team write its backend in Rust?", "Should I rent or buy a flat?"],
    real: [
      "Plan the move of a five-person office in June",
      "Should our café open on Sundays?",
      "Review this plan: a garden shed as a home office",
    ],
  },
  follows: "page",
  announces: true,
  placeholder: (record) => (record ? "Ask a follow-up…" : "Ask a team anything…"),
  plan: planTeam,
  inputWords: INPUT_WORDS,
  Match,
  Dock,
  Chips,
  Estimate,
  Saved,
};
