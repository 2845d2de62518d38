/** The keys of a replay. */
import type { Shortcut } from "@/components/area";
import { STRINGS } from "@/features/votes/strings";

const group = STRINGS.replay;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 600, keys: ["Space"], does: STRINGS.playOrPause },
  { group, order: 601, keys: ["←", "→"], does: STRINGS.skip },
];
