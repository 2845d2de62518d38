/** The catalog of models and their providers. */

import { createRoute } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";

const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models",
  validateSearch: (raw: Record<string, unknown>): { open?: string } =>
    typeof raw.open === "string" ? { open: raw.open } : {},
  component: lazyPage(() => import("@/features/models/models-page").then((page) => page.ModelsPage)),
});

const routes = [modelsRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    models: typeof routes;
  }
}

export const area: Area = {
  name: "models",
  routes,
  nav: [{ label: "Models", icon: Boxes, link: { to: "/models" }, under: /^\/models/, order: 40 }],
  commands: () => import("@/features/models/commands").then((part) => part.useCommands),
};
