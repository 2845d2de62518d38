/** Plug-ins: a section of the settings. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "plug-ins",
  settings: () => import("@/features/plug-ins/sections").then((part) => part.SECTIONS),
};
