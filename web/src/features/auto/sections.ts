/** The section of the settings about Auto. */
import type { SettingsSection } from "@/components/area";
import { AutoRows } from "@/features/auto/auto-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "auto",
    title: "Auto",
    about: "Chooses who answers a chat: first who can, then whose ratings, price and wait fit best.",
    order: 41,
    Rows: AutoRows,
  },
];
