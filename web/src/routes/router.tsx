/** The pages and their addresses. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { NewPage } from "@/features/arena/new-page";
import { SessionPage } from "@/features/arena/session-page";
import { readBoardSearch } from "@/features/leaderboard/board-search";
import { readVotesSearch } from "@/features/votes/votes-search";
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

const LeaderboardPage = lazy(() =>
  import("@/features/leaderboard/leaderboard-page").then((page) => ({ default: page.LeaderboardPage })),
);
const ModelPage = lazy(() =>
  import("@/features/model/model-page").then((page) => ({ default: page.ModelPage })),
);
const HeadToHeadPage = lazy(() =>
  import("@/features/head-to-head/head-to-head-page").then((page) => ({ default: page.HeadToHeadPage })),
);
const VotesPage = lazy(() =>
  import("@/features/votes/votes-page").then((page) => ({ default: page.VotesPage })),
);
const ReplayPage = lazy(() =>
  import("@/features/votes/replay-page").then((page) => ({ default: page.ReplayPage })),
);

const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/$category",
  validateSearch: readBoardSearch,
  component: function Leaderboard() {
    const { category } = leaderboardRoute.useParams();
    const search = leaderboardRoute.useSearch();
    return (
      <Suspense>
        <LeaderboardPage category={category} search={search} />
      </Suspense>
    );
  },
});

const leaderboardRootRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard",
  beforeLoad: () => {
    throw redirect({ to: "/leaderboard/$category", params: { category: "overall" }, replace: true });
  },
});

const methodRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/method",
  component: lazyRouteComponent(() => import("@/features/method/method-page"), "MethodPage"),
});

const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models/$model",
  component: function Model() {
    const { model } = modelRoute.useParams();
    return (
      <Suspense>
        <ModelPage key={model} id={model} />
      </Suspense>
    );
  },
});

const headToHeadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/head-to-head/$a/$b",
  component: function HeadToHead() {
    const { a, b } = headToHeadRoute.useParams();
    return (
      <Suspense>
        <HeadToHeadPage a={a} b={b} />
      </Suspense>
    );
  },
});

const votesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes",
  validateSearch: readVotesSearch,
  component: function Votes() {
    const search = votesRoute.useSearch();
    return (
      <Suspense>
        <VotesPage search={search} />
      </Suspense>
    );
  },
});

const replayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes/$vote/replay",
  component: function Replay() {
    const { vote } = replayRoute.useParams();
    return (
      <Suspense>
        <ReplayPage key={vote} voteId={vote} />
      </Suspense>
    );
  },
});

export const createAppRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([
      newRoute,
      sessionRoute,
      modelsRoute,
      modelRoute,
      leaderboardRootRoute,
      leaderboardRoute,
      methodRoute,
      headToHeadRoute,
      votesRoute,
      replayRoute,
    ]),
    scrollRestoration: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
