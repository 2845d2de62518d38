/** Where models meet: a new session, and every session. */

import { createRoute } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { preloadMarkdown } from "@/components/markdown/markdown";
import { NewPage } from "@/features/arena/new-page";
import { SessionSkeleton } from "@/features/arena/session-states";

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

interface NewSearch {
  mode?: string | undefined;
  model?: string | undefined;
}

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): NewSearch => ({
    mode: text(search.mode),
    model: text(search.model),
  }),
  component: NewPage,
});

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/s/$session",
  beforeLoad: preloadMarkdown,
  validateSearch: (search: Record<string, unknown>): NewSearch & { from?: string | undefined } => ({
    mode: text(search.mode),
    model: text(search.model),
    from: text(search.from),
  }),
  remountDeps: ({ params }) => params.session,
  // What is typed meanwhile waits for the composer.
  component: lazyPage(
    () => import("@/features/arena/session-page").then((page) => page.SessionPage),
    SessionSkeleton,
  ),
});

const routes = [newRoute, sessionRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    arena: typeof routes;
  }
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** What was searched for when a session was opened from the list. */
    found?: string;
  }
}

export const area: Area = {
  name: "arena",
  routes,
  nav: [{ label: "Arena", icon: Columns2, link: { to: "/", search: {} }, under: /^\/(s\/|$)/, order: 10 }],
  commands: () => import("@/features/arena/commands").then((part) => part.useCommands),
  shortcuts: () => import("@/features/arena/shortcuts").then((part) => part.SHORTCUTS),
};
