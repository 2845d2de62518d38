/** The section of the settings about limits; without a limit, only administrators have it. */
import type { SettingsSection } from "@/components/area";
import { LimitRows } from "@/features/limits/limit-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "limits",
    title: "Limits",
    about: "Page, API and programs count against the same limits. Days and months begin at 0:00 UTC.",
    order: 48,
    Rows: LimitRows,
  },
];
