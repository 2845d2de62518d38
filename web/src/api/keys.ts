/** API keys, by which other programs use Parley. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type ApiKey = Schemas["ApiKeyView"];
export type KeyScope = ApiKey["scopes"][number];

export const keysQuery = queryOptions({
  queryKey: ["me", "keys"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/keys", { signal })),
});

export const makeKey = (body: Schemas["NewApiKey"]) => answerOf(api.POST("/api/me/keys", { body }));
export const revokeKey = (key_id: string) =>
  answerOf(api.DELETE("/api/me/keys/{key_id}", { params: { path: { key_id } } }));
