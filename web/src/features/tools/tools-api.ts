/** Tools and tables: the calls of the server, and what the page keeps of them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";

export type ToolView = components["schemas"]["ToolView"];
export type ToolServerView = components["schemas"]["ToolServerView"];
export type TableCard = components["schemas"]["TableCard"];
export type QueryResult = components["schemas"]["QueryResult"];

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/tools", { signal })),
});

const sessionToolsKey = (session: string) => ["session-tools", session] as const;

export const sessionToolsQuery = (session: string) =>
  queryOptions({
    queryKey: sessionToolsKey(session),
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/sessions/{session_id}/tools", { params: { path: { session_id: session } }, signal }),
      ),
  });

export const tablesQuery = (session: string, files: string) =>
  queryOptions({
    queryKey: ["session-tables", session, files],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/sessions/{session_id}/tables", { params: { path: { session_id: session } }, signal }),
      ),
    staleTime: 600_000,
  });

export const runQuery = (session: string, sql: string): Promise<QueryResult> =>
  answerOf(
    api.POST("/api/sessions/{session_id}/tables/query", {
      params: { path: { session_id: session } },
      body: { sql },
    }),
  );

const failed = (error: unknown) => {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
};

/** Switch a tool on or off, or let it ask first. */
export function useChooseTool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, enabled, asks }: Pick<ToolView, "name" | "enabled" | "asks">) =>
      answerOf(api.PUT("/api/tools/{name}", { params: { path: { name } }, body: { enabled, asks } })),
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: toolsQuery.queryKey }),
  });
}

/** Answer a tool that asks first; the call that waits goes on. */
export function usePermitTool(session: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, allowed }: { name: string; allowed: boolean }) =>
      answerOf(
        api.PUT("/api/sessions/{session_id}/tools/{name}", {
          params: { path: { session_id: session, name } },
          body: { allowed },
        }),
      ),
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: sessionToolsKey(session) }),
  });
}

/** Go to a server's authorization server, which leads back to a place here. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ name, back }: { name: string; back: string }) =>
      answerOf(api.POST("/api/tools/servers/{name}/sign-in", { params: { path: { name } }, body: { back } })),
    onSuccess: ({ address }) => window.location.assign(address),
    onError: failed,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      answerOf(api.DELETE("/api/tools/servers/{name}/sign-in", { params: { path: { name } } })),
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: toolsQuery.queryKey }),
  });
}
