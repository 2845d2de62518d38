/** The section of the settings about Auto. */
import type { SettingsSection } from "@/components/area";
import { AutoRows } from "@/features/auto/auto-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "auto",
    title: "Auto",
    about:
      "Chooses the model that answers a chat: one that can, with the best fit of rating, price and wait.",
    order: 41,
    Rows: AutoRows,
  },
];
