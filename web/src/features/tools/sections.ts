/** The section of the settings about tools. */
import type { SettingsSection } from "@/components/area";
import { ToolRows } from "@/features/tools/tool-rows";

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: "tools",
    title: "Tools",
    about:
      "What models with the capability “tools” may call in chats, comparisons, teams and battles with tools.",
    order: 40,
    Rows: ToolRows,
  },
];
