/** Analytics: figures of one's own use, of the workspace, and of the installation. */

import { createRoute } from "@tanstack/react-router";
import { ChartLine } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readAnalyticsSearch } from "@/features/analytics/analytics-search";

const analyticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/analytics",
  validateSearch: readAnalyticsSearch,
  component: lazyPage(() => import("@/features/analytics/analytics-page").then((page) => page.AnalyticsPage)),
});

const routes = [analyticsRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    analytics: typeof routes;
  }
}

export const area: Area = {
  name: "analytics",
  routes,
  nav: [
    { label: "Analytics", icon: ChartLine, link: { to: "/analytics" }, under: /^\/analytics/, order: 35 },
  ],
  commands: () => import("@/features/analytics/commands").then((part) => part.useCommands),
};
