/** The published results that the leaderboard starts from. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { standingsKey } from "@/api/standings";

export type PublicPrior = components["schemas"]["PublicPriorView"];

export const publicPriorQuery = queryOptions({
  queryKey: [...standingsKey, "prior"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/leaderboard/prior", { signal }))).prior,
});

export interface PriorOptions {
  /** The votes that all published results count as. */
  weight: number;
  /** What the leaderboard calls them; the file's name where it is empty. */
  source: string;
  /** The own models that names in the file mean, as NAME=MODEL. */
  map: string[];
}

export const setPublicPrior = async (file: File, options: PriorOptions): Promise<PublicPrior | null> => {
  const state = await answerOf(
    api.PUT("/api/leaderboard/prior", {
      params: { query: { name: file.name, ...options } },
      headers: { "content-type": "application/octet-stream" },
      // The file is sent as it is; the contract calls every body of bytes a string.
      body: file as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  return state.prior;
};

export const removePublicPrior = () => answerOf(api.DELETE("/api/leaderboard/prior"));
