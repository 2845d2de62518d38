/** The Prompt Lab in the command palette. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileText, FlaskConical } from "lucide-react";
import type { Command } from "@/components/area";
import { promptsQuery } from "@/features/prompts/prompts-api";

export function useCommands(): Command[] {
  const navigate = useNavigate();
  const { data: prompts = [] } = useQuery(promptsQuery);
  return [
    { name: "Prompt Lab", icon: FlaskConical, order: 115, run: () => navigate({ to: "/lab" }) },
    ...prompts.map(({ id, name }) => ({
      name,
      id: `prompt-${id}`,
      also: "prompt",
      group: "Prompts",
      icon: FileText,
      order: 300,
      run: () => navigate({ to: "/lab", search: { prompt: id } }),
    })),
  ];
}
