/** Saved consortia: the calls of the server, and what the page keeps of them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { type Setup, sameSetup, seatsOf, setupFrom } from "@/features/consortium/setup";
import { showToast } from "@/lib/toast-store";

export type Preset = components["schemas"]["PresetView"];
export type Quote = components["schemas"]["Quote"];

const MODE = "consortium";
const presetsKey = ["presets", MODE] as const;

export const presetsQuery = queryOptions({
  queryKey: presetsKey,
  queryFn: async ({ signal }): Promise<Preset[]> =>
    (await answerOf(api.GET("/api/presets", { params: { query: { mode: MODE } }, signal }))).presets,
  staleTime: 60_000,
});

export const setupOfPreset = (preset: Preset): Setup =>
  setupFrom(preset.seats, preset.brief, { id: preset.id, name: preset.name });

/** The setup under the name by which it is saved, where it is, whoever chose it. */
export function withName(schema: unknown, setup: Setup, presets: readonly Preset[] | undefined): Setup {
  if (!presets || presets.some((preset) => preset.id === setup.preset?.id)) return setup;
  const known = presets.find((preset) => sameSetup(schema, setup, setupOfPreset(preset)));
  return { ...setup, preset: known ? { id: known.id, name: known.name } : null };
}

export const quoteQuery = (setup: Setup, prompt: string) =>
  queryOptions({
    queryKey: ["quote", MODE, seatsOf(setup), setup.brief, prompt],
    queryFn: ({ signal }): Promise<Quote> =>
      answerOf(
        api.POST("/api/quote", {
          body: { mode: MODE, seats: seatsOf(setup), brief: setup.brief, prompt },
          signal,
        }),
      ),
    staleTime: 300_000,
    retry: false,
  });

type Saving = Pick<Preset, "name" | "seats" | "brief"> & Partial<Pick<Preset, "description" | "contestant">>;

const complain = (error: unknown) => {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
};

/** Save, change and remove; the list is fetched again after each. */
export function usePresetActions() {
  const client = useQueryClient();
  // A contestant is a model too.
  const refetch = [presetsKey, modelsQuery.queryKey];
  const options = {
    onError: complain,
    onSettled: () => Promise.all(refetch.map((queryKey) => client.invalidateQueries({ queryKey }))),
  };
  const save = useMutation({
    ...options,
    mutationFn: (preset: Saving) =>
      answerOf(
        api.POST("/api/presets", {
          body: {
            mode: MODE,
            name: preset.name,
            description: preset.description ?? null,
            seats: preset.seats,
            brief: preset.brief,
            contestant: preset.contestant ?? false,
          },
        }),
      ),
  });
  const change = useMutation({
    ...options,
    mutationFn: ({ id, ...part }: { id: string; name?: string; setup?: Setup; contestant?: boolean }) =>
      answerOf(
        api.PATCH("/api/presets/{preset_id}", {
          params: { path: { preset_id: id } },
          body: {
            ...(part.name !== undefined && { name: part.name }),
            ...(part.contestant !== undefined && { contestant: part.contestant }),
            ...(part.setup && {
              seats: seatsOf(part.setup),
              brief: part.setup.brief,
            }),
          },
        }),
      ),
  });
  const restore = useMutation({
    ...options,
    mutationFn: (preset: Preset) =>
      answerOf(api.POST("/api/presets/{preset_id}/restore", { params: { path: { preset_id: preset.id } } })),
  });
  const remove = useMutation({
    ...options,
    mutationFn: (preset: Preset) =>
      answerOf(api.DELETE("/api/presets/{preset_id}", { params: { path: { preset_id: preset.id } } })),
    onSuccess: (_, preset) =>
      showToast(`Removed “${preset.name}”.`, {
        action: { label: "Undo", run: () => restore.mutate(preset) },
      }),
  });
  return { save, change, remove };
}
