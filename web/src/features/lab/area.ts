/** The Prompt Lab: prompts, data and runs. */

import { createRoute } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readLabSearch } from "@/features/lab/lab-search";

const labRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/lab",
  validateSearch: readLabSearch,
  component: lazyPage(() => import("@/features/lab/lab-page").then((page) => page.LabPage)),
});

const routes = [labRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    lab: typeof routes;
  }
}

export const area: Area = {
  name: "lab",
  routes,
  nav: [{ label: "Prompt Lab", icon: FlaskConical, link: { to: "/lab" }, under: /^\/lab/, order: 25 }],
  commands: () => import("@/features/lab/commands").then((part) => part.useCommands),
};
