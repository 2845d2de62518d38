/** Settings of a seat, and which of them its model can take. Pure. */
import type { ModelCard, SeatSettings } from "@/api/types";
import { draws } from "@/features/arena/model-filter";

export const NO_SETTINGS: SeatSettings = {
  temperature: null,
  max_output_tokens: null,
  system_prompt: null,
  reasoning_effort: null,
  picture: null,
};

/** How much a model reasons before it answers. */
export type Effort = NonNullable<SeatSettings["reasoning_effort"]>;

export const EFFORTS: readonly { value: Effort; label: string }[] = [
  { value: "none", label: "None" },
  { value: "low", label: "Low" },
  { value: "medium", label: "Medium" },
  { value: "high", label: "High" },
];

export const takesEffort = (model: string | null, models: readonly ModelCard[] | undefined): boolean =>
  models?.some(({ id, capabilities }) => id === model && capabilities.includes("reasoning")) ?? false;

/** Settings as a model can take them: another one may not reason as the one before did. */
export function fitting<S extends SeatSettings | null>(
  settings: S,
  model: string | null,
  models: readonly ModelCard[] | undefined,
): S {
  if (!settings || !models) return settings;
  const card = models.find(({ id }) => id === model);
  const effort = takesEffort(model, models) ? settings.reasoning_effort : null;
  const picture = card && draws(card) ? settings.picture : null;
  if (effort === settings.reasoning_effort && picture === settings.picture) return settings;
  return { ...settings, reasoning_effort: effort ?? null, picture: picture ?? null };
}
