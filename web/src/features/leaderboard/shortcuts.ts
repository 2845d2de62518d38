/** The keys of the leaderboard's table. */
import type { Shortcut } from "@/components/area";
import { AREA_STRINGS } from "@/features/leaderboard/area-strings";
import { COMMAND_STRINGS as STRINGS } from "@/features/leaderboard/command-strings";

const group = AREA_STRINGS.leaderboard;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 500, keys: ["↑", "↓"], does: STRINGS.moveBetweenModels },
  { group, order: 501, keys: ["Enter"], does: STRINGS.openModel },
  { group, order: 502, keys: ["C"], does: STRINGS.compareModels },
];
