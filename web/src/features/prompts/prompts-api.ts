/** Prompts: the calls of the server, and what the page keeps of them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";

export type Prompt = components["schemas"]["PromptView"];

export const promptsQuery = queryOptions({
  queryKey: ["prompts"],
  queryFn: async ({ signal }): Promise<Prompt[]> =>
    (await answerOf(api.GET("/api/prompts", { signal }))).prompts,
  staleTime: 30_000,
});

/** Show why something did not work. */
export function showProblem(error: unknown): void {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
}

/** Save a text as a prompt with one message; the list is fetched again. */
export function useSavePrompt() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, text }: { name: string; text: string }) =>
      answerOf(api.POST("/api/prompts", { body: { name, note: "", messages: [{ role: "user", text }] } })),
    onSuccess: ({ prompt }) => showToast(`Prompt “${prompt.name}” saved.`),
    onError: showProblem,
    onSettled: () => client.invalidateQueries({ queryKey: promptsQuery.queryKey }),
  });
}
