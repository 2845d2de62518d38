/** What is said of a reply that waits, or has waited, for a place under a limit of calls at once or for its Job. */

import type { ReplyView } from "@/api/types";
import { formatMs } from "@/lib/format";

/** Shorter waits are not worth a word. */
const NOTICED_MS = 500;

export const QUEUED = "Waiting for a free place";

type Progress = Partial<NonNullable<ReplyView["progress"]>>;

const PHASES = {
  queued: "Waiting for a place in the cluster",
  starting: "Its Kubernetes Job is starting",
  running: "Its Kubernetes Job runs",
};

/** How far the reply's Job is; undefined for one that is none. */
export const phaseOf = ({ phase, why }: Progress): string | undefined =>
  phase ? why || PHASES[phase] : undefined;

/** What an empty reply waits for; `turn` is in the queue as a whole, so that it has no replies yet. */
export const waitingFor = (
  reply: { queued?: boolean; progress?: Progress } | undefined,
  turn?: { queued?: boolean },
): string | undefined =>
  reply?.queued || turn?.queued ? QUEUED : reply?.progress && phaseOf(reply.progress);

/** How long a reply had to wait for its place; an en dash if that was short. */
export const waitedText = ({ queued_ms = 0 }: { queued_ms?: number }): string =>
  queued_ms > NOTICED_MS ? `waited ${formatMs(queued_ms)} for a free place` : "–";
