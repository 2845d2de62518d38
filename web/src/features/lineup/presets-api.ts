/** Saved line-ups of a mode, and what one would take: the calls of the server, and what the page keeps of them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { asApiError } from "@/api/problem";
import { modelsQuery, modesQuery } from "@/api/queries";
import type { ModeCard } from "@/api/types";
import {
  askedOf,
  type Lineup,
  lineupOfPreset,
  type Preset,
  sameLineup,
  settingsOf,
} from "@/features/lineup/lineup";
import { showToast } from "@/lib/toast-store";

export type Quote = components["schemas"]["Quote"];

export const presetsQuery = (mode: string) =>
  queryOptions({
    queryKey: ["presets", mode],
    queryFn: async ({ signal }): Promise<Preset[]> =>
      (await answerOf(api.GET("/api/presets", { params: { query: { mode } }, signal }))).presets,
    staleTime: 60_000,
  });

/** True where a line-up is no longer as it is saved under its name. */
export function isChanged(info: ModeCard, lineup: Lineup, presets: readonly Preset[] | undefined): boolean {
  const saved = presets?.find((preset) => preset.id === lineup.preset?.id);
  return saved !== undefined && !sameLineup(info, lineup, lineupOfPreset(saved));
}

/** The line-up under the name by which it is saved, where it is, whoever chose it. */
export function withName(info: ModeCard, lineup: Lineup, presets: readonly Preset[] | undefined): Lineup {
  if (!presets || presets.some((preset) => preset.id === lineup.preset?.id)) return lineup;
  const known = presets.find((preset) => sameLineup(info, lineup, lineupOfPreset(preset)));
  return { ...lineup, preset: known ? { id: known.id, name: known.name } : null };
}

/** What a turn has its models read, beside their settings. */
interface Said {
  prompt: string;
  attached_tokens: number;
  /** By seat, what its model reads of earlier turns. */
  history_tokens: Record<string, number>;
}

export const quoteQuery = (mode: string, lineup: Lineup, said: Said) => {
  const body = { mode, ...askedOf(lineup), ...said };
  return queryOptions({
    queryKey: ["quote", body],
    queryFn: ({ signal }): Promise<Quote> => answerOf(api.POST("/api/quote", { body, signal })),
    staleTime: 300_000,
    retry: false,
  });
};

const complain = (error: unknown) => {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
};

interface Change {
  id: string;
  name?: string;
  lineup?: Lineup;
  contestant?: boolean;
  is_default?: boolean;
}

/** Save, change and remove; the list is fetched again after each. */
export function usePresetActions(mode: string) {
  const client = useQueryClient();
  // A contestant is a model too, and a mode says which preset it starts with.
  const refetch = [presetsQuery(mode).queryKey, modelsQuery.queryKey, modesQuery.queryKey];
  const options = {
    onError: complain,
    onSettled: () => Promise.all(refetch.map((queryKey) => client.invalidateQueries({ queryKey }))),
  };
  const save = useMutation({
    ...options,
    mutationFn: ({ name, lineup }: { name: string; lineup: Lineup }) =>
      answerOf(
        api.POST("/api/presets", {
          body: { mode, name, contestant: false, is_default: false, ...askedOf(lineup) },
        }),
      ),
  });
  const change = useMutation({
    ...options,
    mutationFn: ({ id, ...part }: Change) =>
      answerOf(
        api.PATCH("/api/presets/{preset_id}", {
          params: { path: { preset_id: id } },
          body: {
            ...(part.name !== undefined && { name: part.name }),
            ...(part.contestant !== undefined && { contestant: part.contestant }),
            ...(part.is_default !== undefined && { is_default: part.is_default }),
            ...(part.lineup && { ...askedOf(part.lineup), seat_settings: settingsOf(part.lineup) }),
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
      showToast(`“${preset.name}” deleted`, {
        action: { label: "Undo", run: () => restore.mutate(preset) },
      }),
  });
  return { save, change, remove };
}
