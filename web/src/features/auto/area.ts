/** Who answers: a section of the settings. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "auto",
  settings: () => import("@/features/auto/sections").then((part) => part.SECTIONS),
};
