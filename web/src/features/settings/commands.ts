/** The settings in the command palette. */
import { useNavigate } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import type { Command } from "@/components/area";
import { AREA_STRINGS } from "@/features/settings/area-strings";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [
    { name: AREA_STRINGS.settings, icon: Settings, order: 130, run: () => navigate({ to: "/settings" }) },
  ];
}
