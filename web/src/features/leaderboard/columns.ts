/** The table's columns: what they are called, what they mean, and where they have room. */
import type { SortKey } from "@/features/leaderboard/board-search";

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
    label: "Rank (UB)",
    sort: "rank",
    figures: true,
    title: "One more than the number of models whose whole interval lies above this one’s",
    className: "w-[86px]",
  },
  { id: "model", label: "Model", sort: "name", className: "w-auto" },
  { id: "rating", label: "Score", sort: "rating", figures: true, className: "w-[72px]" },
  {
    id: "ci",
    label: "95% CI",
    figures: true,
    title: "95 of 100 such intervals hold the truth",
    className: "w-[70px]",
  },
  { id: "bar", label: "Interval", className: "w-[11%] @max-2xl:hidden" },
  { id: "votes", label: "Votes", sort: "votes", figures: true, className: "w-[68px]" },
  {
    id: "win_rate",
    label: "Win rate",
    sort: "win_rate",
    figures: true,
    title: "Won, and half of what was tied; depends on whom a model met",
    className: "w-[80px]",
  },
  { id: "organization", label: "Organisation", sort: "organization", className: "w-[9%] @max-4xl:hidden" },
  { id: "license", label: "Licence", sort: "license", className: "w-[9%] @max-4xl:hidden" },
  {
    id: "price",
    label: "$ / M",
    sort: "price",
    figures: true,
    title: "US dollars per million tokens, three parts input to one part output",
    className: "w-[72px] @max-5xl:hidden",
  },
  {
    id: "latency",
    label: "TTFT p50",
    sort: "latency",
    figures: true,
    title: "Median time to the first token of the replies that were voted on",
    className: "w-[82px] @max-2xl:hidden",
  },
];
