/** The keys of a vote. */
import type { Shortcut } from "@/components/area";
import { LAZY_STRINGS } from "@/features/battle/lazy-strings";
import { STRINGS } from "@/features/battle/strings";

const group = LAZY_STRINGS.voteShortcuts;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 400, keys: ["1", "←"], does: STRINGS.better("A") },
  { group, order: 401, keys: ["2"], does: STRINGS.tie },
  { group, order: 402, keys: ["3"], does: STRINGS.bothBad },
  { group, order: 403, keys: ["4", "→"], does: STRINGS.better("B") },
];
