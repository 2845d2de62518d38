/** The router: the pages of all areas within the frame. */
import { createRouter } from "@tanstack/react-router";
import { type AreaRoutes, rootRoute } from "@/components/area";
import { AreasContext, type JoinedAreas } from "@/components/join-areas";
import { withReadablePath } from "@/lib/readable-path";
import { NotFound } from "@/routes/not-found";
import { PageFailed } from "@/routes/page-failed";
import { Root } from "@/routes/root";

/** The route of any page, as the areas have declared them. */
type PageRoute = AreaRoutes[keyof AreaRoutes][number];

rootRoute.update({ component: Root, notFoundComponent: NotFound });

export const createAppRouter = (areas: JoinedAreas) =>
  createRouter({
    routeTree: rootRoute.addChildren(areas.routes as readonly PageRoute[]),
    scrollRestoration: false,
    rewrite: { input: ({ url }) => withReadablePath(url) },
    defaultErrorComponent: PageFailed,
    InnerWrap: ({ children }) => <AreasContext value={areas}>{children}</AreasContext>,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
