import type { LeaderboardLine } from "@/api/standings-types";

/** "3", or "1–3" where intervals overlap. */
export const rankText = ({ rank_ub, rank_lb }: Pick<LeaderboardLine, "rank_ub" | "rank_lb">): string =>
  rank_ub === rank_lb ? String(rank_ub) : `${rank_ub}–${rank_lb}`;
