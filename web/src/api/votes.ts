/** Votes that were cast: read back, corrected, replayed. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, operations } from "@/api/__generated__/schema";
import { answerOf, api, sendFile } from "@/api/client";

export type VoteCard = components["schemas"]["VoteCard"];
export type Replay = components["schemas"]["Replay"];
export type ReplayedReply = components["schemas"]["ReplayedReply"];

type Asked = NonNullable<operations["list_votes_api_votes_get"]["parameters"]["query"]>;
export type VoteFilter = Pick<Asked, "model" | "outcome" | "category" | "counted" | "search">;

export const votesKey = ["votes"] as const;

const PAGE_SIZE = 40;

export const votesQuery = (filter: VoteFilter) =>
  infiniteQueryOptions({
    queryKey: [...votesKey, filter],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET("/api/votes", {
          params: {
            query: { ...filter, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const voteQuery = (vote_id: string) =>
  queryOptions({
    queryKey: ["vote", vote_id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/votes/{vote_id}", { params: { path: { vote_id } }, signal })),
  });

export const replayQuery = (turn_id: string) =>
  queryOptions({
    queryKey: ["replay", turn_id],
    // The client's types widen a pair to a list; the document says that the timeline is of pairs.
    queryFn: async ({ signal }) =>
      (await answerOf(
        api.GET("/api/turns/{turn_id}/replay", { params: { path: { turn_id } }, signal }),
      )) as Replay,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Say what a vote's prompt is about; the standings follow. */
export const correctCategories = (vote_id: string, categories: string[]) =>
  answerOf(api.PATCH("/api/votes/{vote_id}", { params: { path: { vote_id } }, body: { categories } }));

/** Take a vote back, within ten seconds. */
export const withdrawVote = (vote_id: string) =>
  answerOf(api.POST("/api/votes/{vote_id}/withdraw", { params: { path: { vote_id } } }));

/** Why a vote is in its categories, by the rules. */
export const reasonsQuery = (vote_id: string) =>
  queryOptions({
    queryKey: ["vote", vote_id, "reasons"],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/votes/{vote_id}/categories", { params: { path: { vote_id } }, signal })),
  });

export type ImportEvent = components["schemas"]["ImportEvent"];
export type ImportReport = components["schemas"]["ImportReport"];
export type ImportView = components["schemas"]["ImportView"];

export const importsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/imports", { signal })),
});

/** Remove a data set with all its votes. */
export const removeImport = (import_id: string) =>
  answerOf(api.DELETE("/api/imports/{import_id}", { params: { path: { import_id } } }));

export type ExportFormat = "jsonl" | "csv" | "parquet";

/** Send a file of votes; its events tell how far it is. A preview stores nothing. Ending `signal` takes all back. */
export const importVotes = (
  file: File,
  options: { skipBad: boolean; preview: boolean },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> =>
  sendFile(
    `/api/imports?${new URLSearchParams({ name: file.name, skip_bad: String(options.skipBad), preview: String(options.preview) })}`,
    file,
    signal,
  );

export const exportAddress = (format: ExportFormat, texts: boolean, uncounted: boolean): string =>
  `/api/votes/export?${new URLSearchParams({ format, texts: String(texts), include_uncounted: String(uncounted) })}`;
