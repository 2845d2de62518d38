/** The votes in the command palette, under the leaderboard. */
import { useNavigate } from "@tanstack/react-router";
import { ListChecks, Upload } from "lucide-react";
import { useMayManage } from "@/api/permissions";
import type { Command } from "@/components/area";

const group = "Leaderboard";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const own: Command[] = [
    { name: "My votes", icon: ListChecks, group, order: 410, run: () => navigate({ to: "/votes" }) },
  ];
  if (!mayManage) return own;
  const open = () => navigate({ to: "/votes", search: { import: true } });
  return [...own, { name: "Import votes", icon: Upload, group, order: 411, run: open }];
}
