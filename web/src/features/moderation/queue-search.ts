/** The filters of the review queue, as its address says them. Without a state it shows what is open. */
export interface QueueSearch {
  state?: "all" | "released" | "kept" | undefined;
  moment?: "prompt" | "reply" | undefined;
  rule?: string | undefined;
}

const STATES = ["all", "released", "kept"] as const;
const MOMENTS = ["prompt", "reply"] as const;

/** Read an address; what nobody knows is ignored. */
export function readQueueSearch(raw: Record<string, unknown>): QueueSearch {
  const state = STATES.find((each) => each === raw.state);
  const moment = MOMENTS.find((each) => each === raw.moment);
  const rule = typeof raw.rule === "string" && raw.rule ? raw.rule : undefined;
  return { ...(state && { state }), ...(moment && { moment }), ...(rule && { rule }) };
}
