/** What the mode adds to the command palette. */
import { presetArea } from "@/features/lineup/preset-area";

export const area = presetArea("team", "Teams", 310);
