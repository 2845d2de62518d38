/** When a void battle may say who failed. Pure. */

import type { MatchView, SessionView } from "@/api/types";

/** A later battle of the session was voted on, and none is still blind: as the server decides it. */
export function isRevealedAfter({ matches }: SessionView, { index }: MatchView): boolean {
  const later = matches.map(({ match }) => match).filter((match) => match.index > index);
  const hidden = later.some((match) => match.blind && match.status === "open");
  return !hidden && later.some((match) => match.status === "voted");
}
