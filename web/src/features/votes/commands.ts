/** The votes in the command palette, under the leaderboard. */
import { useNavigate } from "@tanstack/react-router";
import { ListChecks, Upload } from "lucide-react";
import type { Command } from "@/components/area";
import { STRINGS } from "@/features/votes/strings";

const group = STRINGS.leaderboard;

export function useCommands(): Command[] {
  const navigate = useNavigate();
  return [
    { name: STRINGS.myVotes, icon: ListChecks, group, order: 410, run: () => navigate({ to: "/votes" }) },
    {
      name: STRINGS.importVotes,
      icon: Upload,
      group,
      order: 411,
      run: () => navigate({ to: "/votes", search: { import: true } }),
    },
  ];
}
