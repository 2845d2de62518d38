/** The section of the settings about plug-ins. */
import type { SettingsSection } from "@/components/area";
import { PlugInRows } from "@/features/plug-ins/plug-in-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "plug-ins",
    title: "Plug-ins",
    about:
      "Add a provider, a check, a card, a chart or a word list with a few lines of YAML, for yourself, a workspace or everybody.",
    order: 42,
    Rows: PlugInRows,
  },
];
