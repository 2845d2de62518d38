/** promptfoo's configs: the calls of the server. */

import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

type Schemas = components["schemas"];
export type Preview = Schemas["PromptfooPreview"];
export type ReadConfig = Schemas["ReadPromptfoo"];

/** Chosen files: the config, and the texts beside it by their names without folders. */
export interface Chosen {
  file: string;
  text: string;
  beside: Readonly<Record<string, string>>;
}

export interface Read {
  preview: Preview;
  /** The files as the config names them. */
  files: Record<string, string>;
}

/** Files may name files, but not for ever. */
const ROUNDS = 4;

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The files that a config lacks and that were chosen, by the names that it calls them. */
export function found(missing: readonly string[], beside: Chosen["beside"]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of missing) {
    const text = beside[baseName(name)];
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** The config among chosen files: the one called so, else the first in YAML, else the first. */
export function configOf(names: readonly string[]): string | undefined {
  return (
    names.find((name) => name.startsWith("promptfooconfig")) ??
    names.find((name) => /\.ya?ml$/.test(name)) ??
    names[0]
  );
}

async function read(chosen: Chosen, rest: Partial<ReadConfig>, signal: AbortSignal): Promise<Read> {
  const { file, text, beside } = chosen;
  let files: Record<string, string> = {};
  for (let round = 0; ; round += 1) {
    const body = { text, file, files, ...rest };
    const preview = await answerOf(api.POST("/api/lab/promptfoo/preview", { body, signal }));
    const more = found(preview.missing, beside);
    if (Object.keys(more).length === 0 || round === ROUNDS) return { preview, files };
    files = { ...files, ...more };
  }
}

export const previewQuery = (chosen: Chosen, rest: Partial<ReadConfig>) =>
  queryOptions({
    queryKey: ["lab", "promptfoo", chosen, rest],
    queryFn: ({ signal }) => read(chosen, rest, signal),
    staleTime: 0,
    retry: false,
  });

export const importConfig = (body: ReadConfig) => answerOf(api.POST("/api/lab/promptfoo", { body }));
