/** Replies that have said nothing yet. */

import type { ReplyView } from "@/api/types";

/** A reply that is asked for again. */
export const restarted = (reply: ReplyView, attempt: number): ReplyView => ({
  ...reply,
  ...cleared,
  parts: [],
  attempt,
});

const cleared = {
  status: "streaming",
  text: "",
  text_end: 0,
  reasoning: "",
  reasoning_end: 0,
  finish_reason: null,
  metrics: null,
  error: null,
} as const;

export const blank = (id: string, attempt: number): ReplyView => ({
  id,
  seat: "",
  path: "",
  round: 0,
  purpose: "",
  order: 0,
  attempt,
  ...cleared,
  parts: [],
});
