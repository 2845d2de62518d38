/** The steps of an answer that called tools: replies of one seat, the last of which is the answer. Pure. */
import type { Metrics, ReplyView, TurnView } from "@/api/types";

/** All that one seat said in a turn without rounds, in order. */
export function stepsOf(turn: TurnView, seat: string | undefined): ReplyView[] {
  const own = turn.replies.filter((reply) => reply.seat === seat && reply.path === "");
  return own.length > 1 ? [...own].sort(byStep) : own;
}

/** In a battle all steps of an answer have one place. */
const byStep = (a: ReplyView, b: ReplyView) => a.order - b.order || (a.purpose < b.purpose ? -1 : 1);

/** The last step, with what all of them took. */
export function answerIn(steps: readonly ReplyView[]): ReplyView | undefined {
  const last = steps.at(-1);
  if (!last || steps.length === 1) return last;
  return { ...last, metrics: summed(steps.map(({ metrics }) => metrics)) };
}

export interface Answer {
  reply: ReplyView;
  steps: ReplyView[];
}

/** The answers among what was said in one round, each with its steps, in the order in which they began. */
export function answersOf(replies: readonly ReplyView[]): Answer[] {
  const groups = new Map<string, ReplyView[]>();
  for (const reply of [...replies].sort(byStep)) {
    const key = `${reply.seat} ${questionOf(reply.purpose)}`;
    groups.set(key, [...(groups.get(key) ?? []), reply]);
  }
  return [...groups.values()].map((steps) => {
    const last = answerIn(steps) as ReplyView;
    return { reply: { ...last, purpose: questionOf(last.purpose) }, steps };
  });
}

/** What a seat was asked for, whatever the step. */
const questionOf = (purpose: string) => purpose.replace(/\.\d+$/, "");

function summed(all: readonly (Metrics | null)[]): Metrics | null {
  const last = all.at(-1);
  if (!last) return null;
  const steps = all.filter((each) => each !== null);
  const sum = (of: (metrics: Metrics) => number) => steps.reduce((total, each) => total + of(each), 0);
  const unpriced = steps.some(({ cost_micros }) => cost_micros === null);
  return {
    ...last,
    ttft_ms: firstToken(steps),
    duration_ms: sum(({ duration_ms }) => duration_ms),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
    reasoning_tokens: sum(({ reasoning_tokens }) => reasoning_tokens),
    cost_micros: unpriced ? null : sum(({ cost_micros }) => cost_micros ?? 0),
    estimated: steps.some(({ estimated }) => estimated),
    tokens_per_second: null,
  };
}

/** The time until the first text, with the steps that only called tools. */
function firstToken(steps: readonly Metrics[]): number | null {
  const at = steps.findIndex(({ ttft_ms }) => ttft_ms !== null);
  if (at < 0) return null;
  const before = steps.slice(0, at).reduce((total, { duration_ms }) => total + duration_ms, 0);
  return before + (steps[at]?.ttft_ms ?? 0);
}

const TABLES = /\.(csv|tsv|tab|jsonl|ndjson|parquet|pq|xlsx)$/i;

/** Whether a file has tables, as its name says. */
export const hasTables = (name: string): boolean => TABLES.test(name);
