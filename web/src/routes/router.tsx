/** The pages and their addresses. */
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { lazyPage } from "@/components/lazy-part";
import { preloadMarkdown } from "@/components/markdown/markdown";
import { NewPage } from "@/features/arena/new-page";
import { SessionPage } from "@/features/arena/session-page";
import { readBoardSearch } from "@/features/leaderboard/board-search";
import { readVotersSearch } from "@/features/voters/voters-search";
import { readVotesSearch } from "@/features/votes/votes-search";
import { NotFound } from "@/routes/not-found";
import { PageFailed } from "@/routes/page-failed";
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
  beforeLoad: preloadMarkdown,
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
  component: lazyPage(() => import("@/features/models/models-page").then((page) => page.ModelsPage)),
});

const LeaderboardPage = lazyPage(() =>
  import("@/features/leaderboard/leaderboard-page").then((page) => page.LeaderboardPage),
);
const ModelPage = lazyPage(() => import("@/features/model/model-page").then((page) => page.ModelPage));
const HeadToHeadPage = lazyPage(() =>
  import("@/features/head-to-head/head-to-head-page").then((page) => page.HeadToHeadPage),
);
const VotesPage = lazyPage(() => import("@/features/votes/votes-page").then((page) => page.VotesPage));
const ReplayPage = lazyPage(() => import("@/features/votes/replay-page").then((page) => page.ReplayPage));
const TurnReplayPage = lazyPage(() =>
  import("@/features/votes/turn-replay-page").then((page) => page.TurnReplayPage),
);

const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/$category",
  validateSearch: readBoardSearch,
  component: function Leaderboard() {
    const { category } = leaderboardRoute.useParams();
    const search = leaderboardRoute.useSearch();
    return <LeaderboardPage category={category} search={search} />;
  },
});

const leaderboardRootRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard",
  validateSearch: readBoardSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/leaderboard/$category", params: { category: "overall" }, search, replace: true });
  },
});

const methodRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/method",
  component: lazyPage(() => import("@/features/method/method-page").then((page) => page.MethodPage)),
});

const VotersPage = lazyPage(() => import("@/features/voters/voters-page").then((page) => page.VotersPage));

const votersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/leaderboard/voters",
  validateSearch: readVotersSearch,
  component: function Voters() {
    const search = votersRoute.useSearch();
    return <VotersPage search={search} />;
  },
});

const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models/$model",
  component: function Model() {
    const { model } = modelRoute.useParams();
    return <ModelPage key={model} id={model} />;
  },
});

const headToHeadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/head-to-head/$a/$b",
  component: function HeadToHead() {
    const { a, b } = headToHeadRoute.useParams();
    return <HeadToHeadPage a={a} b={b} />;
  },
});

const votesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes",
  validateSearch: readVotesSearch,
  component: function Votes() {
    const search = votesRoute.useSearch();
    return <VotesPage search={search} />;
  },
});

const replayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/votes/$vote/replay",
  component: function Replay() {
    const { vote } = replayRoute.useParams();
    return <ReplayPage key={vote} voteId={vote} />;
  },
});

const turnReplayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/turns/$turn/replay",
  component: function TurnReplay() {
    const { turn } = turnReplayRoute.useParams();
    return <TurnReplayPage key={turn} turnId={turn} />;
  },
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyPage(() => import("@/features/settings/settings-page").then((page) => page.SettingsPage)),
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
      votersRoute,
      headToHeadRoute,
      votesRoute,
      replayRoute,
      turnReplayRoute,
      settingsRoute,
    ]),
    scrollRestoration: false,
    defaultErrorComponent: PageFailed,
  });

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** What was searched for when a session was opened from the list. */
    found?: string;
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
