/** The standings: tables by category, how they come about, who votes, each model, and two models compared. */

import { createRoute, redirect } from "@tanstack/react-router";
import { BarChart3 } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readBoardSearch } from "@/features/leaderboard/board-search";
import { readVotersSearch } from "@/features/leaderboard/voters/voters-search";

const OVERALL = { category: "overall" };

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard",
  validateSearch: readBoardSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/leaderboard/$category", params: OVERALL, search, replace: true });
  },
});

const boardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/$category",
  validateSearch: readBoardSearch,
  component: lazyPage(() =>
    import("@/features/leaderboard/leaderboard-page").then((page) => page.LeaderboardPage),
  ),
});

const methodRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/method",
  component: lazyPage(() =>
    import("@/features/leaderboard/method/method-page").then((page) => page.MethodPage),
  ),
});

const votersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/voters",
  validateSearch: readVotersSearch,
  component: lazyPage(() =>
    import("@/features/leaderboard/voters/voters-page").then((page) => page.VotersPage),
  ),
});

const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models/$model",
  remountDeps: ({ params }) => params.model,
  component: lazyPage(() => import("@/features/leaderboard/model/model-page").then((page) => page.ModelPage)),
});

const headToHeadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/head-to-head/$a/$b",
  component: lazyPage(() =>
    import("@/features/leaderboard/head-to-head/head-to-head-page").then((page) => page.HeadToHeadPage),
  ),
});

const routes = [startRoute, boardRoute, methodRoute, votersRoute, modelRoute, headToHeadRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    leaderboard: typeof routes;
  }
}

export const area: Area = {
  name: "leaderboard",
  routes,
  nav: [
    {
      label: "Leaderboard",
      icon: BarChart3,
      link: { to: "/leaderboard/$category", params: OVERALL },
      under: /^\/(leaderboard|head-to-head)/,
      order: 20,
      shortcut: "l",
    },
  ],
  commands: () => import("@/features/leaderboard/commands").then((part) => part.useCommands),
  shortcuts: () => import("@/features/leaderboard/shortcuts").then((part) => part.SHORTCUTS),
};
