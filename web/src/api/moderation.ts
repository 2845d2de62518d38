/** The rules of moderation, and the queue of what they have found. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type Rule = Schemas["RuleView"];
export type RuleBody = Schemas["RuleBody"];
export type Item = Schemas["ItemView"];

export interface ItemFilter {
  state?: Item["state"] | undefined;
  moment?: Item["moment"] | undefined;
  rule?: string | undefined;
}

export const moderationKey = ["moderation"] as const;

export const rulesQuery = queryOptions({
  queryKey: [...moderationKey, "rules"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/moderation/rules", { signal })),
});

export const itemsQuery = ({ state, moment, rule }: ItemFilter) =>
  infiniteQueryOptions({
    queryKey: [...moderationKey, "items", { state, moment, rule }],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET("/api/moderation/items", {
          params: {
            query: {
              ...(state && { state }),
              ...(moment && { moment }),
              ...(rule && { rule_id: rule }),
              ...(pageParam && { before: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.before,
    refetchInterval: 15_000,
  });

const rule = (rule_id: string) => ({ params: { path: { rule_id } } });
const item = (item_id: string) => ({ params: { path: { item_id } } });

export const addRule = (body: RuleBody) => answerOf(api.POST("/api/moderation/rules", { body }));
export const changeRule = (id: string, body: RuleBody) =>
  answerOf(api.PUT("/api/moderation/rules/{rule_id}", { ...rule(id), body }));
export const removeRule = (id: string) => answerOf(api.DELETE("/api/moderation/rules/{rule_id}", rule(id)));
export const releaseItem = (id: string) =>
  answerOf(api.POST("/api/moderation/items/{item_id}/release", item(id)));
export const keepItem = (id: string) => answerOf(api.POST("/api/moderation/items/{item_id}/keep", item(id)));
export const deleteItem = (id: string) => answerOf(api.DELETE("/api/moderation/items/{item_id}", item(id)));
