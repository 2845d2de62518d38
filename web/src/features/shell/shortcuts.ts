/** The keys of the frame. */
import type { Shortcut } from "@/components/area";
import { modKey } from "@/components/page-header";
import { COMMAND_STRINGS as STRINGS } from "@/features/shell/command-strings";

const group = STRINGS.everywhere;

export const SHORTCUTS: readonly Shortcut[] = [
  { group, order: 100, keys: [modKey("K")], does: STRINGS.commandPalette },
  { group, order: 101, keys: [modKey("B")], does: STRINGS.toggleSidebar },
  { order: 200, keys: ["N"], does: STRINGS.newSession },
  { order: 210, keys: ["/"], does: STRINGS.writeOrSearch },
  { order: 290, keys: ["?"], does: STRINGS.shortcuts },
];
