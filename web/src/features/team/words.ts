/** How the parts of a team's discussion are called. Pure. */

import { inputTitle } from "@/features/rounds/interjection-bubble";
import { type AnnouncedRounds, shortened } from "@/features/rounds/use-announced-rounds";
import type { Expert, PersonSaid, Round, Statement, TeamView } from "@/features/team/read-team";
import { formatCost, formatCount, formatSpent, titled } from "@/lib/format";

const TASKS: Record<string, string> = {
  speak: "Statement",
  answer: "Answer",
  revise: "Revised answer",
  argue: "Argument",
  oppose: "Objection",
  rule: "Ruling",
  draft: "Draft",
  critique: "Criticism",
  redraft: "Revised draft",
  propose: "Proposal",
  attack: "Attack",
  defend: "Defense",
  asked: "Answer to you",
  choose: "Choice",
  synthesis: "Synthesis",
};

export const taskWord = ({ said, reply }: Statement): string => {
  const task = said?.task ?? reply.purpose;
  return TASKS[task] ?? titled(task);
};

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const roleOf = (experts: readonly Expert[], seat: string | null | undefined): string =>
  experts.find((expert) => expert.seat === seat)?.role ?? seat ?? "";

export function roundTitle(round: Round): string {
  return round.kind === "asked"
    ? `Round ${round.number}: your question to one expert`
    : `Round ${round.number}`;
}

/** What the person said, without its text. */
export const saidTitle = ({ input }: PersonSaid, experts: readonly Expert[]): string =>
  inputTitle(input, (seat) => roleOf(experts, seat), "the synthesis");

/** How far the team is, in a few words. */
export function stateOf(view: TeamView): string {
  const last = view.turns.at(-1)?.turn;
  const planned = view.end ?? view.plan;
  if (view.running) {
    const round = view.rounds.findLast(({ end }) => !end);
    const speakers =
      round?.statements.filter(({ writing }) => writing).map(({ expert }) => expert.role) ?? [];
    if (round?.synthesis) return `${round.synthesis.expert.role} is writing the synthesis…`;
    if (speakers.length > 0) return `${listed(speakers)} ${speakers.length > 1 ? "are" : "is"} speaking`;
    if (round?.choice && !round.choice.note) return `${round.choice.expert.role} is choosing who speaks…`;
    return view.rounds.length > 0 ? "Preparing the next round" : "Starting…";
  }
  if (view.paused && planned) return `Paused after round ${planned.done} of ${planned.rounds}`;
  if (last?.status === "stopped") return "Stopped";
  if (last?.status === "failed") return "Failed";
  return view.synthesis ? "Finished" : "Waiting for you";
}

/** Why the rounds ended, as a sentence; null while they go on. */
export function whyOf(view: TeamView, brief: Readonly<Record<string, unknown>>): string | null {
  const { end } = view;
  switch (end?.why) {
    case "rounds":
      return end.rounds === 1 ? "The planned round is done." : `The ${end.rounds} planned rounds are done.`;
    case "person":
      return "You asked for the synthesis.";
    case "moderator":
      return "The moderator found the question answered well enough.";
    case "tokens": {
      const cap = formatCount(Number(brief.max_tokens ?? 0));
      return `The rounds ended near the token cap: ${formatCount(end.spent.tokens)} of ${cap} used.`;
    }
    case "money": {
      const spent = formatSpent(end.spent.cost_micros, end.spent.unpriced);
      const cap = formatCost(Math.round(Number(brief.max_cost_usd ?? 0) * 1e6));
      return `The rounds ended near the cost cap: ${spent} of ${cap} spent.`;
    }
    default:
      return null;
  }
}

/** What is read out of a team: that a round has ended, that the team waits, and the recommendation. */
export function announcedOf(view: TeamView): AnnouncedRounds {
  const ended = view.rounds.filter(({ end }) => end);
  const round = ended.at(-1);
  return {
    running: view.running,
    ended: ended.length,
    round:
      round && !round.synthesis
        ? `Round ${round.number} finished, ${statementCount(round.statements.length)}.`
        : "",
    ending: endingOf(view),
  };
}

function endingOf(view: TeamView): string {
  const turn = view.turns.at(-1)?.turn;
  if (turn?.status === "failed") return turn.error?.title ?? "The team failed.";
  if (turn?.status === "stopped") return "Team stopped.";
  if (view.paused) return "The team waits for you.";
  const points = view.synthesis?.note?.recommendation.map(({ text }) => text);
  return points ? `Synthesis finished. ${shortened(points.join(" "))}` : "";
}

export const statementCount = (count: number): string =>
  count === 1 ? "1 statement" : `${count} statements`;
