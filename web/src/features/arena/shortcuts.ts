/** The keys of the composer. */
import type { Shortcut } from "@/components/area";

const group = "Message";

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 300, keys: ["Enter"], does: "Send" },
  { group, order: 301, keys: ["Shift Enter"], does: "New line" },
  { group, order: 302, keys: ["Esc"], does: "Stop answers" },
];
