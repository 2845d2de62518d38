/** Tags, changes of many sessions at once, and sessions as files. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { forgetSessions } from "@/api/offline";
import { sessionsKey } from "@/api/queries";

export type ChangeSessions = components["schemas"]["ChangeSessions"];

/** Below the sessions' key: whatever changes the lists may change the tags. */
export const tagsQuery = queryOptions({
  queryKey: [...sessionsKey, "tags"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/tags", { signal }))).tags,
});

export async function changeSessions(change: ChangeSessions) {
  const changed = await answerOf(api.POST("/api/sessions/changes", { body: change }));
  if (change.deleted) await forgetSessions(change.ids);
  return changed;
}

export type SessionFormat = components["schemas"]["ExportSessions"]["format"];
export type ImportedSessions = components["schemas"]["ImportedSessions"];

/** Return sessions as one file; the texts of a web page rendered, or as they were written. */
export async function exportSessions(
  ids: readonly string[],
  format: NonNullable<SessionFormat>,
  texts: "rendered" | "source" = "rendered",
): Promise<{ name: string; content: Blob }> {
  const call = api.POST("/api/sessions/export", { body: { ids: [...ids], format, texts }, parseAs: "blob" });
  const content = await answerOf<Blob>(call as Promise<{ data?: Blob; error?: unknown; response: Response }>);
  const named = /filename="([^"]+)"/.exec((await call).response.headers.get("content-disposition") ?? "");
  return { name: named?.[1] ?? `sessions.${format}`, content };
}

/** Import the conversations of a file; aborting stops the import, and what is stored stays. */
export const importSessions = (file: File, signal: AbortSignal) =>
  answerOf(
    api.POST("/api/sessions/import", {
      signal,
      params: { query: { name: file.name.slice(0, 200) } },
      headers: { "content-type": "application/octet-stream" },
      body: file as never,
      bodySerializer: (body) => body,
    }),
  );
