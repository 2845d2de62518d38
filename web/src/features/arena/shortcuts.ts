/** The keys of the composer. */
import type { Shortcut } from "@/components/area";
import { COMMAND_STRINGS as STRINGS } from "@/features/arena/command-strings";

const group = STRINGS.message;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 300, keys: ["Enter"], does: STRINGS.send },
  { group, order: 301, keys: ["Shift Enter"], does: STRINGS.newLine },
  { group, order: 302, keys: ["Esc"], does: STRINGS.stopAnswers },
];
