/** The keys of the frame. */
import type { Shortcut } from "@/components/area";
import { modKey } from "@/components/page-header";

const group = "Everywhere";

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 100, keys: [modKey("K")], does: "Command palette" },
  { group, order: 101, keys: [modKey("B")], does: "Toggle sidebar" },
  { order: 200, keys: ["N"], does: "New session, or new battle after a vote" },
  { order: 210, keys: ["/"], does: "Write a message, or search on the leaderboard" },
  { order: 290, keys: ["?"], does: "Keyboard shortcuts" },
];
