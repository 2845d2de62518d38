/** The catalog in the command palette. */
import { useNavigate } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import type { Command } from "@/components/area";
import { AREA_STRINGS } from "@/features/models/area-strings";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [{ name: AREA_STRINGS.models, icon: Boxes, order: 120, run: () => navigate({ to: "/models" }) }];
}
