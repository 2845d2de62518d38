/** How a person's new chats begin: read once, kept by the server. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

export type Preferences = components["schemas"]["PreferencesView"];

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: ({ signal }): Promise<Preferences> => answerOf(api.GET("/api/preferences", { signal })),
  staleTime: 60_000,
});

/** Replace the preferences. Throws ApiError. */
export const savePreferences = (preferences: Preferences) =>
  answerOf(api.PUT("/api/preferences", { body: preferences }));
