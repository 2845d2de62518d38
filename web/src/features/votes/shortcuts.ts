/** The keys of a replay. */
import type { Shortcut } from "@/components/area";

const group = "Replay";

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 600, keys: ["Space"], does: "Play or pause" },
  { group, order: 601, keys: ["←", "→"], does: "Skip back or forward" },
];
