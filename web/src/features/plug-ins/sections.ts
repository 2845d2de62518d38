/** The section of the settings about plug-ins. */
import type { SettingsSection } from "@/components/area";
import { PlugInRows } from "@/features/plug-ins/plug-in-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "plug-ins",
    title: "Plug-ins",
    about:
      "Add a provider, a check, a card, a view or a word list with a few lines of YAML. They are data: nothing in them runs on the server.",
    order: 42,
    Rows: PlugInRows,
  },
];
