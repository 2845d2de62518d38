/** Who is signed in, and their workspaces: what the first page asks of a shared Parley. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me", { signal })),
  staleTime: 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/workspaces", { signal }))).workspaces,
  staleTime: 60_000,
});
