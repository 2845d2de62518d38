/** What a person can give a mode besides a new question, and how the composer calls it. Pure. */

import type { MatchRecord, ModeCard } from "@/api/types";
import type { Given, InputType, InputWords, Plan } from "@/features/arena/mode-feature";

const WORDS: Record<InputType, { label: string; placeholder: string }> = {
  prompt: { label: "New question", placeholder: "Ask a new question…" },
  continue: { label: "Continue", placeholder: "" },
  add: { label: "Add a fact", placeholder: "Add a fact…" },
  steer: { label: "Steer", placeholder: "Give a direction…" },
  ask: { label: "Ask one model", placeholder: "Ask one model…" },
  skip: { label: "Skip a model", placeholder: "" },
  synthesise: { label: "Conclude now", placeholder: "" },
};

/** The mode's own words where it has some. */
export const inputWords = (type: InputType, own?: InputWords) => own?.words[type] ?? WORDS[type];

/** Those that are made of words; the others are sent without. */
export const hasText = (type: InputType) => ["prompt", "add", "steer", "ask"].includes(type);
export const hasSeat = (type: InputType) => type === "ask" || type === "skip";

const WHILE_RUNNING: readonly InputType[] = ["add", "steer", "ask", "skip", "synthesise"];

/** What can be given now: the first is what the composer gives where nothing else was chosen. */
export function possibleInputs(
  info: ModeCard | undefined,
  record: MatchRecord | null,
  running: boolean,
  plan: Plan,
): InputType[] {
  if (!info || !record) return running ? [] : ["prompt"];
  if (running) return WHILE_RUNNING.filter((type) => info.listens.includes(type));
  const goesOn = plan.kind === "turn";
  return (Object.keys(WORDS) as InputType[]).filter(
    (type) => type === "prompt" || (goesOn && info.inputs.includes(type)),
  );
}

/** Pictures and files as a question names them. */
export const named = (files: readonly { sha256: string; name: string }[]) =>
  files.map(({ sha256, name }) => ({ sha256, name }));

/** What is sent; a seat is said where the type is about one. */
export function given(type: InputType, text: string, seat: string | null): Given {
  switch (type) {
    case "continue":
    case "synthesise":
      return { type };
    case "skip":
      return { type, seat };
    case "ask":
      return { type, text, seat: seat ?? "" };
    default:
      return { type, text };
  }
}
