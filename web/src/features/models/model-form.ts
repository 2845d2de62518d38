/** The form of one model or of several: what stands in it, and what a person has changed. Pure. */

import type { components } from "@/api/__generated__/schema";
import type { ChangePlace, PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { numberIn } from "@/lib/number-in";

export type ChangeModel = components["schemas"]["ChangeModel"];
export type Capability = NonNullable<ChangeModel["capabilities"]>[number];

export interface ModelForm {
  name: string;
  organization: string;
  family: string;
  license: string;
  description: string;
  context: string;
  input: string;
  output: string;
  /** Dollars per picture. */
  image: string;
  weight: string;
  timeout: string;
  concurrency: string;
  cache: string;
  fallback: string;
  capabilities: readonly Capability[];
  battle: boolean;
  enabled: boolean;
}

const text = (value: number | null | undefined) => (value == null ? "" : `${value}`);

export const formOf = (model: ModelCard, place: PoolPlace | undefined): ModelForm => ({
  name: model.name,
  organization: model.organization,
  family: model.family,
  license: model.license,
  description: model.description ?? "",
  context: text(model.context_window),
  input: text(model.prices?.input),
  output: text(model.prices?.output),
  image: text(model.prices?.image),
  weight: text(place?.weight ?? model.weight),
  timeout: text(model.timeout_s),
  concurrency: text(model.max_concurrency),
  cache: text(model.cache_s || null),
  fallback: model.fallback ?? "",
  capabilities: model.capabilities as Capability[],
  battle: place?.chosen ?? false,
  enabled: model.enabled,
});

/** What several forms have in common, and the fields in which they differ. */
export function commonForm(forms: readonly ModelForm[]): { form: ModelForm; mixed: Set<keyof ModelForm> } {
  const [first, ...rest] = forms as [ModelForm, ...ModelForm[]];
  const keys = Object.keys(first) as (keyof ModelForm)[];
  const mixed = new Set(keys.filter((key) => rest.some((form) => `${form[key]}` !== `${first[key]}`)));
  const blank = (key: keyof ModelForm) =>
    key === "capabilities" ? [] : typeof first[key] === "boolean" ? false : "";
  const form = Object.fromEntries(keys.map((key) => [key, mixed.has(key) ? blank(key) : first[key]]));
  return { form: form as unknown as ModelForm, mixed };
}

export interface Changes {
  /** The fields of the model, undefined if none has changed. */
  model: ChangeModel | undefined;
  /** Its place in the battle pool. */
  place: ChangePlace | undefined;
  problem: { field: keyof ModelForm; text: string } | undefined;
}

/** What differs from the beginning. An emptied fact is unknown; any other emptied field returns to its default. */
export function changesOf(before: ModelForm, form: ModelForm): Changes {
  const changed = (...keys: (keyof ModelForm)[]) => keys.some((key) => `${form[key]}` !== `${before[key]}`);
  const problem = problemOf(form);
  const model: ChangeModel = {
    ...(changed("name") && { name: form.name.trim() || null }),
    ...(changed("organization") && { organization: form.organization.trim() }),
    ...(changed("family") && { family: form.family.trim() }),
    ...(changed("license") && { license: form.license.trim() }),
    ...(changed("description") && { description: form.description.trim() || null }),
    ...(changed("context") && { context_window: numberIn(form.context) }),
    ...(changed("input", "output", "image") && { prices: pricesIn(form) }),
    ...(changed("timeout") && { timeout_s: numberIn(form.timeout) }),
    ...(changed("concurrency") && { max_concurrency: numberIn(form.concurrency) }),
    ...(changed("cache") && { cache_s: numberIn(form.cache) }),
    ...(changed("fallback") && { fallback: form.fallback || null }),
    ...(changed("capabilities") && { capabilities: [...form.capabilities] }),
    ...(changed("enabled") && { enabled: form.enabled }),
  };
  const place: ChangePlace = {
    ...(changed("battle") && { chosen: form.battle }),
    ...(changed("weight") && { weight: numberIn(form.weight) ?? 1 }),
  };
  const some = <T extends object>(value: T) => (Object.keys(value).length > 0 ? value : undefined);
  return { model: some(model), place: some(place), problem };
}

/** A model that draws may have a price per picture alone. */
function pricesIn({ input, output, image }: ModelForm) {
  const [from, to, each] = [numberIn(input), numberIn(output), numberIn(image)];
  if (each) return { input: from ?? 0, output: to ?? 0, image: each };
  return from === null || to === null ? null : { input: from, output: to, image: null };
}

const NUMBERS = [
  { field: "context", least: 1, whole: true, what: "Context" },
  { field: "input", least: 0, whole: false, what: "The input price" },
  { field: "output", least: 0, whole: false, what: "The output price" },
  { field: "image", least: 0, whole: false, what: "The price of a picture" },
  { field: "weight", least: 0, whole: false, what: "The weight" },
  { field: "timeout", least: 0.001, whole: false, what: "The time limit" },
  { field: "concurrency", least: 1, whole: true, what: "Answers at the same time" },
] as const;

function problemOf(form: ModelForm): Changes["problem"] {
  for (const { field, least, whole, what } of NUMBERS) {
    const value = numberIn(form[field]);
    if (value === null) continue;
    if (!Number.isFinite(value)) return { field, text: `${what} must be a number.` };
    if (whole && !Number.isInteger(value)) return { field, text: `${what} must be a whole number.` };
    if (value < least)
      return {
        field,
        text: `${what} ${least === 0 ? "can’t be negative" : least < 1 ? "must be more than 0" : `must be at least ${least}`}.`,
      };
  }
  if ((numberIn(form.input) === null) !== (numberIn(form.output) === null)) {
    return { field: form.input ? "output" : "input", text: "Enter both prices, or neither." };
  }
  return undefined;
}

const SOURCES = { name: "from the name", server: "said by the server", published: "from a price list" };

/** Where a fact is from, in words; empty for a fact that is missing. */
export function sourceText(model: ModelCard, fact: string, value: unknown): string {
  const source = model.known_from[fact];
  if (source) return SOURCES[source];
  const missing = value === "" || value === null || value === undefined;
  return !missing && model.source === "database" ? "set by you" : "";
}

/** What the drawer says of the facts as a whole; null where nobody but the person knows anything. */
export function knownNote(model: ModelCard): string | null {
  const derived = (["organization", "family", "license"] as const).filter(
    (fact) => model.known_from[fact] === "name",
  );
  if (derived.length === 0) return null;
  const words = { organization: "maker", family: "family", license: "licence" };
  const list = derived.map((fact) => words[fact]);
  const last = list.pop() ?? "";
  const names = list.length > 0 ? `${list.join(", ")} and ${last}` : last;
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${list.length > 0 ? "come" : "comes"} from the id. Change what is wrong.`;
}
