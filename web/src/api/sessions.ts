/** Tags, and changes of many sessions at once. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { sessionsKey } from "@/api/queries";

export type ChangeSessions = components["schemas"]["ChangeSessions"];

/** Below the sessions' key: whatever changes the lists may change the tags. */
export const tagsQuery = queryOptions({
  queryKey: [...sessionsKey, "tags"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/tags", { signal }))).tags,
});

export const changeSessions = (change: ChangeSessions) =>
  answerOf(api.POST("/api/sessions/changes", { body: change }));
