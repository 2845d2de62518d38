/** The catalog in the command palette. */
import { useNavigate } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import type { Command } from "@/components/area";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [{ name: "Models", icon: Boxes, order: 120, run: () => navigate({ to: "/models" }) }];
}
