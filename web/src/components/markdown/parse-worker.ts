/** The worker that parses answers; it remembers those that are being written. */
import type { Pluggable } from "unified";
import { mayHoldMath } from "@/components/markdown/formula-text";
import type { Excess } from "@/components/markdown/limits";
import { MAX_TEXT } from "@/components/markdown/limits";
import { Exceeded, type Parsed, type Progress, parse } from "@/components/markdown/parse";

export interface ParseTask {
  /** Names the answer, so that one that grows need not be parsed from its beginning. */
  answer: string;
  text: string;
  writing: boolean;
}

export type ParseResult = Parsed | { excess: Excess };

const MOST_KNOWN = 32;
const known = new Map<string, Progress>();
let formulas: Pluggable | undefined;

async function loadFormulas(): Promise<void> {
  self.postMessage("loading");
  formulas = await import("@/components/markdown/formulas").then(
    (module) => module.formulas,
    () => undefined,
  );
  self.postMessage("ready");
}

function blocksOf({ answer, text, writing }: ParseTask): ParseResult {
  const before = known.get(answer);
  known.delete(answer);
  try {
    const { parsed, progress } = parse({ text, writing, before, formulas });
    if (writing) remember(answer, progress);
    return parsed;
  } catch (error) {
    return { excess: error instanceof Exceeded ? error.excess : "fault" };
  }
}

function remember(answer: string, progress: Progress): void {
  known.set(answer, progress);
  const oldest = known.keys().next().value;
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

self.onmessage = async ({ data }: MessageEvent<ParseTask>) => {
  if (!formulas && data.text.length <= MAX_TEXT && mayHoldMath(data.text)) await loadFormulas();
  self.postMessage(blocksOf(data));
};
self.postMessage("ready");
