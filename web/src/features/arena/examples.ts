/** Questions to try, where a mode has none of its own; those of the demo models are ones that they have answers to. */
import type { Examples, ModeFeature } from "@/features/arena/mode-feature";

const EXAMPLES: Examples = {
  demo: [
    "Should I rent or buy a flat?",
    "How can I sleep better?",
    "Why is the sky blue?",
    "Give me five name ideas for a bakery",
  ],
  real: [
    "Four quick dinners for a family",
    "Repair or replace a ten-year-old fridge?",
    "A toast for my sister’s wedding",
    "Explain inflation to a twelve-year-old",
  ],
};

/** What a mode offers to ask, of the demo models or of real ones. */
export const examplesOf = (feature: Pick<ModeFeature, "examples">, demo: boolean): readonly string[] =>
  (feature.examples ?? EXAMPLES)[demo ? "demo" : "real"];
