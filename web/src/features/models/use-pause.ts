/** Pause models, or let them answer again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { changeModel, refreshCatalog } from "@/api/providers";
import type { ModelCard } from "@/api/types";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";

interface Pause {
  models: readonly ModelCard[];
  enabled: boolean;
}

export function usePause() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ models, enabled }: Pause) => {
      for (const model of models) await changeModel(model.id, { enabled });
    },
    onSuccess: (_, { models, enabled }) =>
      showToast(`${counted(models.length, "model")} ${enabled ? "resumed" : "paused"}.`),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => refreshCatalog(client),
  });
}
