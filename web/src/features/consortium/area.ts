/** What the mode adds to the command palette. */
import { presetArea } from "@/features/lineup/preset-area";

export const area = presetArea("consortium", "Consortia", 300);
