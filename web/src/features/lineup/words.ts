/** What a line-up's parts are called on the page. */

import type { Group } from "@/features/lineup/lineup";

/** What a mode calls its saved line-ups. */
export interface SavedWords {
  one: string;
  all: string;
  /** On the chip while none of them is chosen. */
  chip?: string;
}

export const LINE_UPS: SavedWords = { one: "Saved line-up", all: "Saved line-ups" };

/** "Add a member", "Add an expert" */
export function addTitle({ role }: Group): string {
  const words = role.replaceAll(/[-_]/g, " ");
  return `Add ${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}
