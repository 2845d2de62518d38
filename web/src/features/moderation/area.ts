/** Moderation: rules in the settings of administrators, and the queue in which they review what rules have found. */
import { createRoute } from "@tanstack/react-router";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readQueueSearch } from "@/features/moderation/queue-search";

const queueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/moderation",
  validateSearch: readQueueSearch,
  component: lazyPage(() => import("@/features/moderation/queue-page").then((page) => page.QueuePage)),
});

const routes = [queueRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    moderation: typeof routes;
  }
}

export const area: Area = {
  name: "moderation",
  routes,
  commands: () => import("@/features/moderation/commands").then((part) => part.useCommands),
  settings: () =>
    import("@/features/moderation/rule-rows").then(({ RuleRows }) => [
      {
        id: "moderation",
        title: "Moderation",
        about: "Rules that flag or hold prompts before they are sent, and replies once they have ended.",
        order: 56,
        Rows: RuleRows,
      },
    ]),
};
