/** Searches for a better prompt: the calls of the server, and what the page keeps of them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { showProblem } from "@/features/prompts/prompts-api";

type Schemas = components["schemas"];
export type Improvement = Schemas["ImprovementView"];
export type ImprovementDetail = Schemas["ImprovementDetail"];
export type Candidate = Schemas["CandidateView"];
export type ImprovementQuote = Schemas["ImprovementQuote"];
export type StartImprovement = Schemas["StartImprovement"];

const BUSY_MS = 1000;

export const improvementsQuery = (prompt: string) =>
  queryOptions({
    queryKey: ["lab", "improvements", prompt],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/lab/improvements", { params: { query: { prompt } }, signal })))
        .improvements,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "running") ? BUSY_MS : false,
  });

const path = (id: string) => ({ params: { path: { improvement_id: id } } });

export const improvementQuery = (id: string) =>
  queryOptions({
    queryKey: ["lab", "improvement", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/lab/improvements/{improvement_id}", { ...path(id), signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.improvement.status === "running" || data?.improvement.progress.running ? BUSY_MS : false,
  });

export const improvementQuoteQuery = (prompt: string, plan: StartImprovement | null) =>
  queryOptions({
    queryKey: ["lab", "quote", prompt, "improve", plan],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST("/api/prompts/{prompt_id}/improvements/quote", {
          params: { path: { prompt_id: prompt } },
          body: plan as StartImprovement,
          signal,
        }),
      ),
    enabled: plan !== null,
    staleTime: 0,
    retry: false,
  });

/** A change of a search: start, pause, resume, cancel. */
export function useChangeImprovement<T = void>(change: (values: T) => Promise<Improvement>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (improvement) => {
      client.invalidateQueries({ queryKey: improvementsQuery(improvement.prompt_id).queryKey });
      client.invalidateQueries({ queryKey: improvementQuery(improvement.id).queryKey });
    },
    onError: showProblem,
  });
}

export const startImprovement = (id: string, body: StartImprovement) =>
  answerOf(api.POST("/api/prompts/{prompt_id}/improvements", { params: { path: { prompt_id: id } }, body }));

export const improveFromBattles = (id: string, body: Schemas["ImproveFromBattles"]) =>
  answerOf(
    api.POST("/api/prompts/{prompt_id}/improvements/battles", { params: { path: { prompt_id: id } }, body }),
  );

export const pauseImprovement = (id: string) =>
  answerOf(api.POST("/api/lab/improvements/{improvement_id}/pause", path(id)));
export const cancelImprovement = (id: string) =>
  answerOf(api.POST("/api/lab/improvements/{improvement_id}/cancel", path(id)));
export const resumeImprovement = (id: string, body: Schemas["ResumeImprovement"]) =>
  answerOf(api.POST("/api/lab/improvements/{improvement_id}/resume", { ...path(id), body }));
export const saveCandidate = (id: string, candidate: number, note: string) =>
  answerOf(
    api.POST("/api/lab/improvements/{improvement_id}/save", { ...path(id), body: { candidate, note } }),
  );
