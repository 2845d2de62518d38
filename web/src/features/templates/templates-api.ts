/** Prompt templates: the calls of the server, and what the page keeps of them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { STRINGS } from "@/features/templates/strings";
import { showToast } from "@/lib/toast-store";

export type Template = components["schemas"]["TemplateView"];
export type TemplateText = Pick<Template, "name" | "text">;

export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: async ({ signal }): Promise<Template[]> =>
    (await answerOf(api.GET("/api/templates", { signal }))).templates,
  staleTime: 60_000,
});

/** Save, change and remove; the list is fetched again after each. */
export function useTemplateActions() {
  const client = useQueryClient();
  const options = {
    onError: (error: unknown) => {
      const { message, detail } = asApiError(error);
      showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: templatesQuery.queryKey }),
  };
  const save = useMutation({
    ...options,
    mutationFn: ({ id, name, text }: TemplateText & { id?: string | undefined }) =>
      answerOf(
        id
          ? api.PUT("/api/templates/{template_id}", {
              params: { path: { template_id: id } },
              body: { name, text },
            })
          : api.POST("/api/templates", { body: { name, text } }),
      ),
    onSuccess: ({ name }) => showToast(STRINGS.saved(name)),
  });
  const remove = useMutation({
    ...options,
    mutationFn: ({ id }: Template) =>
      answerOf(api.DELETE("/api/templates/{template_id}", { params: { path: { template_id: id } } })),
    onSuccess: (_, { name, text }) =>
      showToast(STRINGS.deleted(name), {
        action: { label: STRINGS.undo, run: () => save.mutate({ name, text }) },
      }),
  });
  return { save, remove };
}
