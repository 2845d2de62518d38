/** The leaderboard in the command palette: its pages, every category, every model. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BarChart3, BookOpen, Grid3x3, LineChart, UserRound, Users } from "lucide-react";
import { useMayManage } from "@/api/permissions";
import { modelsQuery } from "@/api/queries";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { Command, CommandContext } from "@/components/area";

const METHOD_ABOUT = "how the leaderboard works";

const group = "Leaderboard";

/** Categories and models are many: they are listed once somebody searches. */
export function useCommands({ search }: CommandContext): Command[] {
  const pages = usePages();
  const categories = useCategories();
  const models = useModels();
  return search === "" ? pages : [...pages, ...categories, ...models];
}

function usePages(): Command[] {
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const open = (view?: "win-rates" | "history") =>
    navigate({ to: "/leaderboard/$category", params: { category: "overall" }, search: view ? { view } : {} });
  return [
    { name: "Leaderboard", icon: BarChart3, hint: "L", group, order: 400, run: () => open() },
    { name: "Win rates", icon: Grid3x3, group, order: 401, run: () => open("win-rates") },
    { name: "Scores over time", icon: LineChart, group, order: 402, run: () => open("history") },
    {
      name: "Method",
      about: METHOD_ABOUT,
      also: METHOD_ABOUT,
      icon: BookOpen,
      group,
      order: 420,
      run: () => navigate({ to: "/leaderboard/method" }),
    },
    ...(mayManage
      ? [
          {
            name: "Voters",
            about: "vote health",
            icon: Users,
            group,
            order: 421,
            run: () => navigate({ to: "/leaderboard/voters" }),
          },
        ]
      : []),
  ];
}

function useCategories(): Command[] {
  const navigate = useNavigate();
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const categories = board?.categories.filter((category) => category.kind !== "overall") ?? [];
  return categories.map((category) => ({
    name: category.title,
    also: `leaderboard category ${category.id}`,
    about: "leaderboard",
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
    also: `about page of model ${model.organization} ${model.id}`,
    about: "scores and votes",
    icon: UserRound,
    group: "Models",
    order: 500,
    run: () => navigate({ to: "/models/$model", params: { model: model.id } }),
  }));
}
