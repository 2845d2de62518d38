/** Auto: the calls of the server, and what the page keeps of them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";

export type Decision = components["schemas"]["Decision"];
export type AutoPolicy = components["schemas"]["AutoPolicy"];
export type AutoReplay = components["schemas"]["AutoReplay"];

/** The routed turns of a session; `moment` changes when there may be more. */
export const routedQuery = (session: string, moment: string) =>
  queryOptions({
    queryKey: ["session-auto", session, moment],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/api/sessions/{session_id}/auto", { params: { path: { session_id: session } }, signal }),
        )
      ).turns,
    staleTime: 600_000,
  });

export const policyQuery = queryOptions({
  queryKey: ["auto-policy"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/auto", { signal })),
});

/** The presets of all modes that answer like a model. */
export const contestantsQuery = queryOptions({
  queryKey: ["presets", "usable as models"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/api/presets", { signal }))).presets.filter(({ model_id }) => model_id !== null),
});

export function useSetPolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AutoPolicy) => answerOf(api.PUT("/api/auto", { body })),
    onSuccess: (saved) => {
      client.setQueryData(policyQuery.queryKey, saved);
      showToast("Settings of Auto saved.");
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
}

export type AutoRecord = components["schemas"]["AutoRecord"];

export const recordQuery = queryOptions({
  queryKey: ["auto-record"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/auto/record", { signal })),
});

export function useForgetLessons() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE("/api/auto/lessons")),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: recordQuery.queryKey });
      showToast("What Auto learned from you is deleted.");
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
}

/** Tells Auto which model was used instead. That it fails costs nobody the answer. */
export function useTeach(session: string, turn: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (model: string) =>
      answerOf(
        api.PUT("/api/sessions/{session_id}/auto/{turn_id}", {
          params: { path: { session_id: session, turn_id: turn } },
          body: { model },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["session-auto", session] }),
  });
}

export const readReplay = () => answerOf(api.GET("/api/auto/replay"));
