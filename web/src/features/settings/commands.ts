/** The settings in the command palette. */
import { useNavigate } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import type { Command } from "@/components/area";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [{ name: "Settings", icon: Settings, order: 130, run: () => navigate({ to: "/settings" }) }];
}
