/** Limits: what the installation, people, workspaces and API keys may use. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "limits",
  settings: () => import("@/features/limits/sections").then((part) => part.SECTIONS),
};
