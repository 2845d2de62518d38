/** The battle pool: who can be drawn, and who is left out and why. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";

type Schemas = components["schemas"];

export type Pool = Schemas["Pool"];
export type PoolPlace = Schemas["PoolPlace"];
export type ChangePlace = { chosen?: boolean; weight?: number };

export const poolQuery = queryOptions({
  queryKey: ["models", "pool"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/pool", { signal })),
  staleTime: 10_000,
});

/** The place of a model, by its id. */
export const placesOf = (pool: Pool | undefined): ReadonlyMap<string, PoolPlace> =>
  new Map(pool?.places.map((place) => [place.model_id, place]));

/** Whom a battle may draw now. */
export const isDrawn = (place: PoolPlace | undefined): boolean =>
  place?.chosen === true && place.out === null;

export async function changePool(client: QueryClient, models: Record<string, ChangePlace>): Promise<Pool> {
  const pool = await answerOf(api.PATCH("/api/pool", { body: { models } }));
  client.setQueryData(poolQuery.queryKey, pool);
  return pool;
}

/** Change places at once: what is shown follows the click, and returns if the server refuses. */
export function useChangePool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (models: Record<string, ChangePlace>) => changePool(client, models),
    onMutate: (models) => {
      const before = client.getQueryData(poolQuery.queryKey);
      if (before) {
        const places = before.places.map((place) => ({ ...place, ...models[place.model_id] }));
        client.setQueryData(poolQuery.queryKey, { ...before, places });
      }
      return before;
    },
    onError: (error, _, before) => {
      if (before) client.setQueryData(poolQuery.queryKey, before);
      showToast(asApiError(error).message, { tone: "bad" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["models"] }),
  });
}
