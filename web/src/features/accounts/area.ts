/** People of a shared Parley: sign in, one's own account, and everybody's. */

import { createRoute } from "@tanstack/react-router";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/join",
  component: lazyPage(() => import("@/features/accounts/join-page").then((page) => page.JoinPage)),
});

const copyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/copy",
  component: lazyPage(() => import("@/features/accounts/copy-page").then((page) => page.CopyPage)),
});

const routes = [joinRoute, copyRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    accounts: typeof routes;
  }
}

export const area: Area = {
  name: "accounts",
  routes,
  settings: () => import("@/features/accounts/sections").then((part) => part.SECTIONS),
};
