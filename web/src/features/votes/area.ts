/** A person's own votes, and the replays of past battles and turns. */

import { createRoute } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readVotesSearch } from "@/features/votes/votes-search";

const votesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes",
  validateSearch: readVotesSearch,
  component: lazyPage(() => import("@/features/votes/votes-page").then((page) => page.VotesPage)),
});

const replayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes/$vote/replay",
  remountDeps: ({ params }) => params.vote,
  component: lazyPage(() => import("@/features/votes/replay-page").then((page) => page.ReplayPage)),
});

const turnReplayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/turns/$turn/replay",
  remountDeps: ({ params }) => params.turn,
  component: lazyPage(() => import("@/features/votes/turn-replay-page").then((page) => page.TurnReplayPage)),
});

const routes = [votesRoute, replayRoute, turnReplayRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    votes: typeof routes;
  }
}

export const area: Area = {
  name: "votes",
  routes,
  nav: [{ label: "My votes", icon: ListChecks, link: { to: "/votes" }, under: /^\/votes/, order: 30 }],
  commands: () => import("@/features/votes/commands").then((part) => part.useCommands),
  shortcuts: () => import("@/features/votes/shortcuts").then((part) => part.SHORTCUTS),
};
