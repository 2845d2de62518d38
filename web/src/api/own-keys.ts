/** Provider keys of one's own and of a workspace: shown by their last four characters, never again whole. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

export type OwnKey = components["schemas"]["OwnKeyView"];

const queryKey = ["own-keys"] as const;

/** The providers with one's own keys, or those of a workspace. */
export const ownKeysQuery = (workspace_id: string | null) =>
  queryOptions({
    queryKey: [...queryKey, workspace_id],
    queryFn: async ({ signal }) => {
      if (workspace_id === null) {
        return (await answerOf(api.GET("/api/me/provider-keys", { signal }))).providers;
      }
      const params = { path: { workspace_id } };
      return (await answerOf(api.GET("/api/workspaces/{workspace_id}/provider-keys", { params, signal })))
        .providers;
    },
  });

export const putOwnKey = (workspace_id: string | null, provider_id: string, key: string) =>
  workspace_id === null
    ? answerOf(
        api.PUT("/api/me/provider-keys/{provider_id}", { params: { path: { provider_id } }, body: { key } }),
      )
    : answerOf(
        api.PUT("/api/workspaces/{workspace_id}/provider-keys/{provider_id}", {
          params: { path: { workspace_id, provider_id } },
          body: { key },
        }),
      );

export const removeOwnKey = (workspace_id: string | null, provider_id: string) =>
  workspace_id === null
    ? answerOf(api.DELETE("/api/me/provider-keys/{provider_id}", { params: { path: { provider_id } } }))
    : answerOf(
        api.DELETE("/api/workspaces/{workspace_id}/provider-keys/{provider_id}", {
          params: { path: { workspace_id, provider_id } },
        }),
      );

export const refreshOwnKeys = (client: QueryClient) => client.invalidateQueries({ queryKey });
