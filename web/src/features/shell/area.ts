/** What the frame itself adds to the command palette and to the list of shortcuts. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "shell",
  commands: () => import("@/features/shell/commands").then((part) => part.useCommands),
  shortcuts: () => import("@/features/shell/shortcuts").then((part) => part.SHORTCUTS),
};
