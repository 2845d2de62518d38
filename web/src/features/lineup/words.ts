/** What a line-up's parts are called on the page. */

import type { Group } from "@/features/lineup/lineup";
import { STRINGS } from "@/features/lineup/strings";

/** What a mode calls its saved line-ups. */
export interface SavedWords {
  one: string;
  all: string;
  /** On the chip while none of them is chosen. */
  chip?: string;
}

export const LINE_UPS: SavedWords = { one: STRINGS.savedLineUp, all: STRINGS.savedLineUps };

/** "Add a member", "Add an expert" */
export const addTitle = ({ role }: Group) => STRINGS.addRole(role.replaceAll(/[-_]/g, " "));
