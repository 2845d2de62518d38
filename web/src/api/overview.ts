/** The installation at this moment, for administrators. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";

const EVERY_MS = 10_000;

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/overview", { signal })),
  refetchInterval: EVERY_MS,
});
