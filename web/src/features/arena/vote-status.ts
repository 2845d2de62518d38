/** What became of a vote that was cast. Pure. */
import type { TurnView, VoteView } from "@/api/types";

export const isWithdrawn = (vote: VoteView | null | undefined): boolean =>
  vote?.not_counted_reason === "withdrawn";

/** The seats that were asked again after a vote on their turn: it judged other answers than those in sight. */
export const askedSince = (vote: VoteView, turn: TurnView): string[] =>
  Object.entries(vote.seats).flatMap(([seat, { attempt }]) => {
    const newest = Math.max(...turn.replies.map((reply) => (reply.seat === seat ? reply.attempt : 0)));
    return attempt !== null && newest > attempt ? [seat] : [];
  });
