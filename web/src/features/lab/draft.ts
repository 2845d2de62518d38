/** The draft of a prompt: its newest version as somebody changes it. Drafts live as long as the tab. */

import { create } from "zustand";
import type { Variable, Version, WriteBody } from "@/features/lab/lab-api";

export interface Draft {
  messages: { role: "system" | "user" | "assistant"; text: string }[];
  variables: Variable[];
  options: Version["options"];
}

interface DraftStore {
  drafts: Record<string, Draft>;
  set: (id: string, draft: Draft | null) => void;
  /** Forget a draft that was saved, unless it was changed meanwhile. */
  settle: (id: string, saved: Draft) => void;
}

type Drafts = DraftStore["drafts"];

const NAME = "parley.lab";

export const useDrafts = create<DraftStore>()((set, get) => ({
  drafts: readDrafts(),
  set: (id, draft) =>
    set(({ drafts: { [id]: _, ...others } }) => ({ drafts: draft ? { ...others, [id]: draft } : others })),
  settle: (id, saved) => {
    if (get().drafts[id] === saved) get().set(id, null);
  },
}));

useDrafts.subscribe(({ drafts }) => {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(drafts));
  } catch {
    // A full or blocked storage only means that a reload forgets them.
  }
});

function readDrafts(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "{}") as Drafts;
  } catch {
    return {};
  }
}

export const draftOf = ({ messages, variables, options }: Version): Draft => ({
  messages,
  variables,
  options,
});

const PLACE = /\{\{([^{}\n]{1,60})\}\}/g;

/** The variables of a draft: one for each place, as declared or as a text. */
export function variablesOf(draft: Draft): Variable[] {
  const declared = new Map(draft.variables.map((variable) => [variable.name, variable]));
  const names = draft.messages.flatMap(({ text }) =>
    [...text.matchAll(PLACE)].map(([, name]) => name?.trim()),
  );
  return [...new Set(names)]
    .filter((name): name is string => Boolean(name))
    .map(
      (name): Variable =>
        declared.get(name) ?? { name, kind: "text", choices: [], default: null, least: null, most: null },
    );
}

/** The draft as the server takes it. */
export const bodyOf = (draft: Draft): Omit<WriteBody, "note"> => ({
  messages: draft.messages,
  variables: variablesOf(draft).map((variable) => ({
    name: variable.name,
    kind: variable.kind ?? "text",
    choices: [...(variable.choices ?? [])],
    least: variable.least ?? null,
    most: variable.most ?? null,
    default: variable.default ?? null,
  })),
  options: {
    temperature: draft.options.temperature ?? null,
    max_output_tokens: draft.options.max_output_tokens ?? null,
    seed: draft.options.seed ?? null,
    json_schema: (draft.options.json_schema as Record<string, unknown> | undefined) ?? null,
  },
});

/** Whether two drafts would be the same version. */
export const sameDraft = (one: Draft, other: Draft): boolean =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

/** A draft as one text, for a diff. */
export const textOf = (draft: Pick<Draft, "messages">): string =>
  draft.messages.map(({ role, text }) => `# ${role}\n${text}`).join("\n\n");
