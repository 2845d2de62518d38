/** The analytics in the command palette. */
import { useNavigate } from "@tanstack/react-router";
import { ChartLine } from "lucide-react";
import type { Command } from "@/components/area";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [
    {
      name: "Analytics",
      icon: ChartLine,
      order: 105,
      also: "usage cost tokens dashboard your month",
      run: () => navigate({ to: "/analytics" }),
    },
  ];
}
