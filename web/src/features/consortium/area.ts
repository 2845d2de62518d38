/** What the mode adds to the command palette. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "consortium",
  commands: () => import("@/features/consortium/commands").then((part) => part.useCommands),
};
