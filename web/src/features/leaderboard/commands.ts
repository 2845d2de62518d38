/** The leaderboard in the command palette: its pages, every category, every model. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BarChart3, BookOpen, Grid3x3, LineChart, UserRound, Users } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { Command, CommandContext } from "@/components/area";
import { AREA_STRINGS } from "@/features/leaderboard/area-strings";
import { COMMAND_STRINGS as STRINGS } from "@/features/leaderboard/command-strings";

const group = AREA_STRINGS.leaderboard;

/** Categories and models are many: they are listed once somebody searches. */
export function useCommands({ search }: CommandContext): Command[] {
  const pages = usePages();
  const categories = useCategories();
  const models = useModels();
  return search === "" ? pages : [...pages, ...categories, ...models];
}

function usePages(): Command[] {
  const navigate = useNavigate();
  const open = (view?: "win-rates" | "history") =>
    navigate({ to: "/leaderboard/$category", params: { category: "overall" }, search: view ? { view } : {} });
  return [
    { name: AREA_STRINGS.leaderboard, icon: BarChart3, hint: "L", group, order: 400, run: () => open() },
    { name: STRINGS.winRates, icon: Grid3x3, group, order: 401, run: () => open("win-rates") },
    { name: STRINGS.scoresOverTime, icon: LineChart, group, order: 402, run: () => open("history") },
    {
      name: STRINGS.method,
      about: STRINGS.methodAbout,
      also: STRINGS.methodAbout,
      icon: BookOpen,
      group,
      order: 420,
      run: () => navigate({ to: "/leaderboard/method" }),
    },
    {
      name: STRINGS.voters,
      about: STRINGS.votersAbout,
      icon: Users,
      group,
      order: 421,
      run: () => navigate({ to: "/leaderboard/voters" }),
    },
  ];
}

function useCategories(): Command[] {
  const navigate = useNavigate();
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const categories = board?.categories.filter((category) => category.kind !== "overall") ?? [];
  return categories.map((category) => ({
    name: category.title,
    also: STRINGS.categoryWords(category.id),
    about: STRINGS.categoryAbout,
    icon: BarChart3,
    group,
    order: 430,
    run: () => navigate({ to: "/leaderboard/$category", params: { category: category.id } }),
  }));
}

function useModels(): Command[] {
  const navigate = useNavigate();
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const { data: catalog = [] } = useQuery(modelsQuery);
  const listed = board?.lines.map((line) => line.model) ?? [];
  const models = new Map([...listed, ...catalog].map((model) => [model.id, model]));
  return [...models.values()].map((model) => ({
    name: model.name,
    also: STRINGS.modelWords(model.organization, model.id),
    about: STRINGS.modelAbout,
    icon: UserRound,
    group: STRINGS.models,
    order: 500,
    run: () => navigate({ to: "/models/$model", params: { model: model.id } }),
  }));
}
