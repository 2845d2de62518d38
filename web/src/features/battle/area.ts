/** What the mode adds to the list of shortcuts. */
import type { Area } from "@/components/area";

export const area: Area = {
  name: "battle",
  shortcuts: () => import("@/features/battle/shortcuts").then((part) => part.SHORTCUTS),
};
