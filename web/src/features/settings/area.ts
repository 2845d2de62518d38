/** The settings: one page with a section of each area that has one. */

import { createRoute } from "@tanstack/react-router";
import { Info, Settings } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyPage(() => import("@/features/settings/settings-page").then((page) => page.SettingsPage)),
});

const routes = [settingsRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    settings: typeof routes;
  }
}

export const area: Area = {
  name: "settings",
  routes,
  nav: [
    { label: "Settings", icon: Settings, link: { to: "/settings" }, order: 10, menu: "top" },
    {
      label: "About Parley",
      icon: Info,
      link: { to: "/settings", hash: "about" },
      order: 90,
      menu: "bottom",
    },
  ],
  commands: () => import("@/features/settings/commands").then((part) => part.useCommands),
  settings: () => import("@/features/settings/sections").then((part) => part.SECTIONS),
};
