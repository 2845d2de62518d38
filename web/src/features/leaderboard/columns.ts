/** The table's columns: what they are called, what they mean, and where they have room. */

import type { SortKey } from "@/features/leaderboard/board-search";
import { STRINGS } from "@/features/leaderboard/strings";

export interface Column {
  id: string;
  label: string;
  sort?: SortKey;
  title?: string;
  /** Its figures stand at the right. */
  figures?: boolean;
  /** Width and, where the table is narrow, absence. */
  className: string;
}

export const COLUMNS: readonly Column[] = [
  {
    id: "rank",
    label: STRINGS.rankUb,
    sort: "rank",
    figures: true,
    title: STRINGS.rankUbHint,
    className: "w-[86px]",
  },
  { id: "model", label: STRINGS.model, sort: "name", className: "w-auto" },
  { id: "rating", label: STRINGS.score, sort: "rating", figures: true, className: "w-[72px]" },
  {
    id: "ci",
    label: STRINGS.interval95,
    figures: true,
    title: STRINGS.interval95Hint,
    className: "w-[70px]",
  },
  { id: "bar", label: STRINGS.interval, className: "w-[10%] @max-2xl:hidden" },
  { id: "votes", label: STRINGS.votes, sort: "votes", figures: true, className: "w-[68px]" },
  {
    id: "win_rate",
    label: STRINGS.winRate,
    sort: "win_rate",
    figures: true,
    title: STRINGS.winRateHint,
    className: "w-[80px]",
  },
  {
    id: "organization",
    label: STRINGS.organisation,
    sort: "organization",
    className: "w-[11%] @max-4xl:hidden",
  },
  { id: "license", label: STRINGS.licence, sort: "license", className: "w-[9%] @max-4xl:hidden" },
  {
    id: "price",
    label: STRINGS.pricePerMillion,
    sort: "price",
    figures: true,
    title: STRINGS.priceHint,
    className: "w-[72px] @max-5xl:hidden",
  },
  {
    id: "latency",
    label: STRINGS.ttftP50,
    sort: "latency",
    figures: true,
    title: STRINGS.ttftHint,
    className: "w-[110px] @max-2xl:hidden",
  },
];
