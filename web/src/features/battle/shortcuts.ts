/** The keys of a vote. */
import type { Shortcut } from "@/components/area";
import { ALT } from "@/lib/key-position";

const group = `Vote (with ${ALT} while you type)`;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 400, keys: ["1"], does: "A is better" },
  { group, order: 401, keys: ["2"], does: "Tie" },
  { group, order: 402, keys: ["3"], does: "Both are bad" },
  { group, order: 403, keys: ["4"], does: "B is better" },
];
