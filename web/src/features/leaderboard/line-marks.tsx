/** What keeps a line from being taken at its word, as quiet icons whose words come with the pointer or the focus. */

import { HardDrive, Hourglass, type LucideIcon, Unlink, UserRound } from "lucide-react";
import type { LeaderboardLine } from "@/api/standings-types";
import { formatFactor, formatPercent } from "@/lib/format";
import { tooltip } from "@/ui/tooltip";

interface Mark {
  id: string;
  icon: LucideIcon;
  /** In the legend, and for a screen reader. */
  title: string;
  of: (line: LeaderboardLine, grouped: boolean) => boolean;
  hint: (line: LeaderboardLine) => string;
}

/** From this share on, the table says that a model's score is much of one person's. */
const LARGE_SHARE = 0.1;
const MUCH_WIDER = 1.1;

const isOneVoters = (line: LeaderboardLine) => (line.top_voter ?? 0) > LARGE_SHARE && line.top_voter !== 1;

const oneVoterHint = ({ top_voter, widened }: LeaderboardLine) =>
  `${formatPercent(top_voter)} of what the votes say about this model comes from one voter.${
    (widened ?? 1) > MUCH_WIDER ? ` Its interval is ${formatFactor(widened ?? 1)} as wide for it.` : ""
  }`;

const MARKS: readonly Mark[] = [
  {
    id: "provisional",
    icon: Hourglass,
    title: "Provisional",
    of: (line) => line.provisional,
    hint: () =>
      "Provisional: too few votes for a reliable score. The model won all battles, lost all, or isn’t linked to the others. It ranks below all others.",
  },
  { id: "voter", icon: UserRound, title: "Much from one voter", of: isOneVoters, hint: oneVoterHint },
  {
    id: "group",
    icon: Unlink,
    title: "Separate group",
    // No battle links it to the models with the most votes.
    of: (line, grouped) => grouped && line.comparison_group > 0,
    hint: (line) =>
      `Group ${line.comparison_group + 1}: no battles link it to the other groups, so scores can’t be compared across them.`,
  },
  {
    id: "local",
    icon: HardDrive,
    title: "Local model",
    of: ({ model }) => model.local,
    hint: () => "Runs on this computer or network.",
  },
];

interface LineMarksProps {
  line: LeaderboardLine;
  grouped: boolean;
  /** Within a link nothing else takes the focus. */
  linked?: boolean;
}

export function LineMarks({ line, grouped, linked }: LineMarksProps) {
  return MARKS.filter((mark) => mark.of(line, grouped)).map((mark) => (
    <span
      key={mark.id}
      {...(!linked && { tabIndex: 0 })}
      {...tooltip(mark.hint(line))}
      className="relative inline-grid size-5 shrink-0 place-items-center rounded-xs text-ink-3 hover:bg-hover hover:text-ink focus-visible:text-ink"
    >
      <mark.icon aria-hidden="true" className="size-3.5" />
      <span className="sr-only">{mark.title}</span>
    </span>
  ));
}

/** The marks that a table has, in words. */
export function MarkLegend({ lines, grouped }: { lines: readonly LeaderboardLine[]; grouped: boolean }) {
  return MARKS.filter((mark) => lines.some((line) => mark.of(line, grouped))).map((mark) => (
    <span key={mark.id} className="inline-flex items-center gap-1.5">
      <mark.icon aria-hidden="true" className="size-3.5" />
      {mark.title}
    </span>
  ));
}
