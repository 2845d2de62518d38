/** The pages and their addresses. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { NewPage } from "@/features/arena/new-page";
import { SessionPage } from "@/features/arena/session-page";
import { NotFound } from "@/routes/not-found";
import { Root } from "@/routes/root";

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound });

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
  component: function New() {
    const { mode, model } = newRoute.useSearch();
    return <NewPage mode={mode} model={model} />;
  },
});

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/s/$session",
  validateSearch: (search: Record<string, unknown>): NewSearch & { from?: string | undefined } => ({
    mode: text(search.mode),
    model: text(search.model),
    from: text(search.from),
  }),
  component: function Session() {
    const { session } = sessionRoute.useParams();
    const { mode, model, from } = sessionRoute.useSearch();
    return <SessionPage key={session} sessionId={session} mode={mode} model={model} from={from} />;
  },
});

const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models",
  component: lazyRouteComponent(() => import("@/features/models/models-page"), "ModelsPage"),
});

export const createAppRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([newRoute, sessionRoute, modelsRoute]),
    scrollRestoration: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
