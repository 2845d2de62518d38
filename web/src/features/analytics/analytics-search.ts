/** The place of the analytics in the address: the dashboard, the range and the filters. */

export type Range = 1 | 7 | 30 | 90;
export const RANGES: readonly Range[] = [1, 7, 30, 90];

export interface AnalyticsSearch {
  of?: "me" | "workspace" | "installation" | undefined;
  days?: Range | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  person?: string | undefined;
}

/** The filters, by the dimensions of measures. */
export const FILTERS = ["model", "mode", "person"] as const;
export type Filter = (typeof FILTERS)[number];

const SCALES = ["me", "workspace", "installation"] as const;

export function readAnalyticsSearch(raw: Record<string, unknown>): AnalyticsSearch {
  const of = SCALES.find((scale) => scale === raw.of);
  const days = RANGES.find((range) => range === Number(raw.days));
  const text = (value: unknown) => (typeof value === "string" && value ? { value } : null);
  const [model, mode, person] = FILTERS.map((name) => text(raw[name]));
  return {
    ...(of && { of }),
    ...(days && { days }),
    ...(model && { model: model.value }),
    ...(mode && { mode: mode.value }),
    ...(person && { person: person.value }),
  };
}
