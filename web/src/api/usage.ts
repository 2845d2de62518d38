/** Figures of usage, and the dashboards that show them. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, operations } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type UsageTable = Schemas["UsageTable"];
export type UsageCard = Schemas["Card"];
export type Dashboard = Schemas["Dashboard"];
export type MeasureView = Schemas["MeasureView"];
export type Cell = UsageTable["rows"][number][number];
export type UsageQuestion = NonNullable<operations["read_usage_api_usage_get"]["parameters"]["query"]>;

export const analyticsQuery = queryOptions({
  queryKey: ["analytics"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/analytics", { signal })),
  staleTime: 60_000,
});

export const usageQuery = (query: UsageQuestion) =>
  queryOptions({
    queryKey: ["usage", query],
    // The document also names the file; JSON is what comes without asking for one.
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/usage", { params: { query }, signal }))) as UsageTable,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

/** The same figures as a file of CSV. */
export const usageCsv = (query: UsageQuestion): Promise<string> =>
  answerOf(
    api.GET("/api/usage", { params: { query }, headers: { accept: "text/csv" }, parseAs: "text" }),
  ) as Promise<unknown> as Promise<string>;
