/** Passports of judges: how far each agrees with people’s votes. */

import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "@/api/client";
import type { Check } from "@/features/lab/lab-api";

export const judgesQuery = queryOptions({
  queryKey: ["lab", "judges"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/lab/judges", { signal }))).judges,
});

/** The model that judges; undefined for a check without one. */
export const judgeOf = ({ kind, model }: Check): string | undefined =>
  (kind === "judge" || kind === "judge_pair") && typeof model === "string" && model ? model : undefined;
