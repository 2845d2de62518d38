/** What the mode adds to the command palette. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "team",
  commands: () => import("@/features/team/commands").then((part) => part.useCommands),
};
