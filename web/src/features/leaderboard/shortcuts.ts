/** The keys of the leaderboard's table. */
import type { Shortcut } from "@/components/area";

const group = "Leaderboard";

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 500, keys: ["↑", "↓"], does: "Move between models" },
  { group, order: 501, keys: ["Enter"], does: "Open model" },
  { group, order: 502, keys: ["C"], does: "Show selected models head-to-head" },
];
