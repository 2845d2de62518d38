/** The frame in the command palette: the sidebar, the shortcuts, the theme. */

import { Keyboard, Monitor, Moon, PanelLeft, Sun } from "lucide-react";
import { useContext } from "react";
import type { Command } from "@/components/area";
import { FrameContext } from "@/components/page-header";
import { useTheme } from "@/lib/theme-store";

export function useCommands(): Command[] {
  const { toggleSidebar, openShortcuts } = useContext(FrameContext);
  const setTheme = useTheme((state) => state.setTheme);
  return [
    { name: "Toggle sidebar", icon: PanelLeft, order: 140, run: toggleSidebar },
    { name: "Keyboard shortcuts", icon: Keyboard, hint: "?", order: 150, run: openShortcuts },
    { name: "Theme: dark", icon: Moon, order: 160, run: () => setTheme("dark") },
    { name: "Theme: light", icon: Sun, order: 161, run: () => setTheme("light") },
    { name: "Theme: system", icon: Monitor, order: 162, run: () => setTheme("system") },
  ];
}
