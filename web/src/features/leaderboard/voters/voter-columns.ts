/** The columns by which voters are sorted. */

import { STRINGS } from "@/features/leaderboard/voters/strings";
import type { VoterSort } from "@/features/leaderboard/voters/voters-search";

export interface VoterColumn {
  sort: VoterSort;
  label: string;
  title?: string;
  figures: boolean;
}

export const voterColumns = (fastSeconds: number): readonly VoterColumn[] => [
  { sort: "votes", label: STRINGS.votes, figures: true },
  { sort: "prompts", label: STRINGS.prompts, title: STRINGS.promptsHint, figures: true },
  { sort: "duplicates", label: STRINGS.duplicatesHead, title: STRINGS.duplicatesHeadHint, figures: true },
  { sort: "fast", label: STRINGS.fast(fastSeconds), title: STRINGS.fastHint, figures: true },
  { sort: "evidence", label: STRINGS.evidence, title: STRINGS.evidenceSort, figures: false },
  { sort: "last_vote", label: STRINGS.lastVote, figures: false },
];
