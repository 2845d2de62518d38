/** What a line-up's parts are called on the page. */
import type { Group } from "@/features/lineup/lineup";

/** What a mode calls its saved line-ups. */
export interface SavedWords {
  one: string;
  all: string;
}

export const LINE_UPS: SavedWords = { one: "Saved line-up", all: "Saved line-ups" };

/** "fact-checker" → "Fact checker" */
export const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, " ");

/** "Add a member", "Add an expert" */
export const addTitle = ({ role }: Group) =>
  `Add ${/^[aeiou]/.test(role) ? "an" : "a"} ${role.replaceAll(/[-_]/g, " ")}`;
