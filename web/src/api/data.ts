/** A person's data as a whole: where it is, an export of everything, and its deletion. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api, openDownload } from "@/api/client";

export type DataSummary = components["schemas"]["DataSummary"];

export const dataKey = ["data"] as const;

export const dataQuery = queryOptions({
  queryKey: dataKey,
  queryFn: ({ signal }) => answerOf(api.GET("/api/data", { signal })),
});

/** Open the export of all sessions and presets: one line of JSON for each. */
export const openExport = (signal: AbortSignal) => openDownload("/api/data/export", signal);

/** Delete all sessions and presets for good. */
export const eraseData = () =>
  answerOf(api.DELETE("/api/data", { params: { query: { confirm: "delete" } } }));

/** Recount all votes. */
export const rebuildStandings = () => answerOf(api.POST("/api/leaderboard/rebuild"));
