/** The review queue in the command palette, for those who manage. */
import { useNavigate } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import type { Command } from "@/components/area";
import { useModeration } from "@/features/moderation/use-moderation";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  const moderation = useModeration();
  if (!moderation) return [];
  return [
    {
      name: "Review queue",
      icon: ShieldAlert,
      order: 108,
      also: "moderation held flagged rules",
      run: () => navigate({ to: "/moderation" }),
    },
  ];
}
