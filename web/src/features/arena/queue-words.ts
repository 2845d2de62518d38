/** What is said of a reply that waits, or has waited, for a place under a limit of calls at once. */

import { formatMs } from "@/lib/format";

/** Shorter waits are not worth a word. */
const NOTICED_MS = 500;

export const QUEUED = "Waiting for a free place";

/** What an empty reply waits for; `turn` is in the queue as a whole, so that it has no replies yet. */
export const waitingFor = (
  reply: { queued?: boolean } | undefined,
  turn?: { queued?: boolean },
): string | undefined => (reply?.queued || turn?.queued ? QUEUED : undefined);

/** How long a reply had to wait for its place; an en dash if that was short. */
export const waitedText = ({ queued_ms = 0 }: { queued_ms?: number }): string =>
  queued_ms > NOTICED_MS ? `waited ${formatMs(queued_ms)} for a free place` : "–";
