/** How the parts of a team's discussion are called. Pure. */

import type { Spent } from "@/features/team/notes";
import type { Expert, PersonSaid, Round, Statement, TeamView } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { formatCost, formatCount, titled } from "@/lib/format";

export const taskWord = ({ said, reply }: Statement): string => {
  const task = said?.task ?? reply.purpose;
  return STRINGS.tasks[task] ?? titled(task);
};

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")}${STRINGS.and}${names.at(-1)}`;

export const roleOf = (experts: readonly Expert[], seat: string | null | undefined): string =>
  experts.find((expert) => expert.seat === seat)?.role ?? seat ?? "";

export const formatSpent = ({ cost_micros, unpriced }: Spent): string =>
  unpriced
    ? cost_micros > 0
      ? STRINGS.costOver(formatCost(cost_micros))
      : STRINGS.noPrice
    : formatCost(cost_micros);

export function roundTitle(round: Round): string {
  return round.kind === "asked" ? STRINGS.askedRound(round.number) : STRINGS.round(round.number);
}

/** What the person said, without its text. */
export function saidTitle({ input }: PersonSaid, experts: readonly Expert[]): string {
  switch (input.type) {
    case "add":
      return STRINGS.youAdded;
    case "steer":
      return STRINGS.youSteered;
    case "ask":
      return STRINGS.youAsked(roleOf(experts, input.seat));
    case "skip":
      return input.seat ? STRINGS.youSkipped(roleOf(experts, input.seat)) : STRINGS.youSkippedRound;
    case "synthesise":
      return STRINGS.youConcluded;
    case "continue":
      return input.to_end ? STRINGS.youLetItRun : STRINGS.youContinued;
    default:
      return STRINGS.question;
  }
}

/** How far the team is, in a few words. */
export function stateOf(view: TeamView): string {
  const last = view.turns.at(-1)?.turn;
  const planned = view.end ?? view.plan;
  if (view.running) {
    const round = view.rounds.findLast(({ end }) => !end);
    const speakers =
      round?.statements.filter(({ writing }) => writing).map(({ expert }) => expert.role) ?? [];
    if (round?.synthesis) return STRINGS.writingSynthesis(round.synthesis.expert.role);
    if (speakers.length > 0) return STRINGS.speaking(listed(speakers), speakers.length > 1);
    if (round?.choice && !round.choice.note) return STRINGS.choosing(round.choice.expert.role);
    return view.rounds.length > 0 ? STRINGS.betweenRounds : STRINGS.starting;
  }
  if (view.paused && planned) return STRINGS.paused(planned.done, planned.rounds);
  if (last?.status === "stopped") return STRINGS.stoppedShort;
  if (last?.status === "failed") return STRINGS.failedShort;
  return view.synthesis ? STRINGS.finished : STRINGS.waitingShort;
}

/** Why the rounds ended, as a sentence; null while they go on. */
export function whyOf(view: TeamView, brief: Readonly<Record<string, unknown>>): string | null {
  const { end } = view;
  switch (end?.why) {
    case "rounds":
      return STRINGS.why.rounds(end.rounds);
    case "person":
      return STRINGS.why.person;
    case "moderator":
      return STRINGS.why.moderator;
    case "tokens":
      return STRINGS.why.tokens(formatCount(end.spent.tokens), formatCount(Number(brief.max_tokens ?? 0)));
    case "money":
      return STRINGS.why.money(
        formatSpent(end.spent),
        formatCost(Math.round(Number(brief.max_cost_usd ?? 0) * 1e6)),
      );
    default:
      return null;
  }
}
