/** The standings: one query per call of the HTTP contract. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";
import type { Leaderboard, LeaderboardLine, Method } from "@/api/standings-types";

/** Everything that changes when the standings do. */
export const standingsKey = ["standings"] as const;
export const leaderboardsKey = [...standingsKey, "board"] as const;

export interface BoardFilter {
  category: string;
  method: Method;
  uncounted: boolean;
  minVotes: number;
  /** The votes in this workspace's sessions alone, which have one method. */
  space: boolean;
}

export const DEFAULT_BOARD: BoardFilter = {
  category: "overall",
  method: "bradley-terry",
  uncounted: false,
  minVotes: 5,
  space: false,
};

/** The most lines that one answer holds. */
const PAGE_SIZE = 1000;
const MOST_IN_MATRIX = 300;
const MOST_LINES = 8;

/** The whole table: a browser sorts and filters some hundred lines faster than it asks for them. */
async function getBoard(filter: BoardFilter, signal: AbortSignal): Promise<Leaderboard> {
  const lines: LeaderboardLine[] = [];
  let cursor: string | null = null;
  for (;;) {
    const query = {
      category: filter.category,
      min_votes: filter.minVotes,
      limit: PAGE_SIZE,
      ...(cursor !== null && { cursor }),
    };
    const shown = { method: filter.method, include_uncounted: filter.uncounted };
    const page: Leaderboard = await answerOf(
      filter.space
        ? api.GET("/api/leaderboard/space", { params: { query }, signal })
        : api.GET("/api/leaderboard", { params: { query: { ...query, ...shown } }, signal }),
    );
    lines.push(...page.lines);
    cursor = page.next_cursor;
    if (cursor === null) return { ...page, lines };
  }
}

export const boardQuery = (filter: BoardFilter) =>
  queryOptions({
    queryKey: [...leaderboardsKey, filter],
    queryFn: ({ signal }) => getBoard(filter, signal),
    placeholderData: keepPreviousData,
  });

export const preferencesQuery = queryOptions({
  queryKey: [...standingsKey, "preferences"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/leaderboard/preferences", { signal })),
});

/** Only whoever runs the server may see them, so it is not asked again. */
export const flaggedVotersQuery = queryOptions({
  queryKey: [...standingsKey, "voters"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/leaderboard/voters", { signal })),
  retry: false,
});

export const voteHealthQuery = queryOptions({
  queryKey: [...standingsKey, "health"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/leaderboard/health", { signal })),
});

export interface VoterOrder {
  sort_by: "votes" | "evidence" | "prompts" | "duplicates" | "fast" | "last_vote";
  order: "asc" | "desc";
  offset: number;
}

/** How many voters one page of them has. */
export const VOTERS_PER_PAGE = 25;

export const votersQuery = (order: VoterOrder) =>
  queryOptions({
    queryKey: [...standingsKey, "health", "voters", order],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/leaderboard/health/voters", {
          params: { query: { ...order, limit: VOTERS_PER_PAGE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // What is left of the evidence is computed with the next request.
    refetchInterval: ({ state }) => (state.data && state.data.pending > 0 ? 300 : false),
  });

export const excludeVoter = (voter_id: string) =>
  answerOf(api.POST("/api/leaderboard/voters/{voter_id}/exclude", { params: { path: { voter_id } } }));

export const reinstateVoter = (voter_id: string) =>
  answerOf(api.POST("/api/leaderboard/voters/{voter_id}/reinstate", { params: { path: { voter_id } } }));

export const historyQuery = (category: string, method: Method, model: readonly string[] = []) =>
  queryOptions({
    queryKey: [...standingsKey, "history", category, method, model],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/leaderboard/history", {
          params: { query: { category, method, model: [...model], limit: MOST_LINES } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const matrixQuery = (category: string, uncounted: boolean) =>
  queryOptions({
    queryKey: [...standingsKey, "matrix", category, uncounted],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/leaderboard/matrix", {
          params: { query: { category, include_uncounted: uncounted, limit: MOST_IN_MATRIX } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const modelStatsQuery = (model_id: string) =>
  queryOptions({
    queryKey: [...standingsKey, "model", model_id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/models/{model_id}/stats", { params: { path: { model_id } }, signal })),
  });

export const headToHeadQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: [...standingsKey, "pair", a, b],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/head-to-head/{a}/{b}", { params: { path: { a, b } }, signal })),
    placeholderData: keepPreviousData,
  });
