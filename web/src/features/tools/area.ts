/** What models may call: a section of the settings. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "tools",
  settings: () => import("@/features/tools/sections").then((part) => part.SECTIONS),
};
