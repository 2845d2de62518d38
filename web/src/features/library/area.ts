/** Everything that was made, found again. */
import { createRoute } from "@tanstack/react-router";
import { Library } from "lucide-react";
import { type Area, rootRoute } from "@/components/area";
import { lazyPage } from "@/components/lazy-part";
import { readLibrarySearch } from "@/features/library/library-search";

const libraryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/library",
  validateSearch: readLibrarySearch,
  component: lazyPage(() => import("@/features/library/library-page").then((page) => page.LibraryPage)),
});

const routes = [libraryRoute] as const;

declare module "@/components/area" {
  interface AreaRoutes {
    library: typeof routes;
  }
}

export const area: Area = {
  name: "library",
  routes,
  nav: [{ label: "Library", icon: Library, link: { to: "/library" }, under: /^\/library/, order: 35 }],
};
