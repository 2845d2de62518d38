/** How the parts of a consortium are called. */

import type { Member } from "@/features/consortium/members";
import type { AgreementKind, VerdictNote } from "@/features/consortium/notes";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { type AnnouncedRounds, shortened } from "@/features/rounds/use-announced-rounds";

export const KINDS: { kind: AgreementKind; label: string; long: string }[] = [
  { kind: "all", label: "all agree", long: "Every answer says this" },
  { kind: "some", label: "some agree", long: "At least one other answer says this" },
  { kind: "number", label: "other number", long: "Another answer says this with another number" },
  { kind: "one", label: "one only", long: "No other answer says this" },
  { kind: "disputed", label: "disputed", long: "The arbiter's dissent names this" },
];

export const kindLabel = (kind: AgreementKind) => KINDS.find((each) => each.kind === kind)?.label ?? kind;

/** A sentence without its Markdown signs, for a table's cell. */
export const plainSentence = (text: string): string =>
  text
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/, "")
    .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
    .trim();

/** A share with two digits, as the arbiter gives it. */
export const formatShare = (value: number): string => value.toFixed(2);

export const formatConfidence = (value: number | null | undefined, limit?: number): string =>
  value === null ? "not given" : value === undefined ? "–" : formatBeside(value, limit ?? value);

/** A share beside a limit that it misses: with as many digits as it takes to see that. */
export function formatBeside(value: number, limit: number): string {
  let digits = 2;
  while (digits < 6 && value !== limit && value.toFixed(digits) === limit.toFixed(digits)) digits += 1;
  return value.toFixed(digits);
}

/** The arbiter knows the members by numbers; a reader knows them by name. */
export function nameMembers(text: string, shown: readonly string[], members: readonly Member[]): string {
  return text.replace(/\bMember (\d{1,2})\b/g, (all, number: string) => {
    const seat = shown[Number(number) - 1];
    return members.find((member) => member.seat === seat)?.name ?? all;
  });
}

/** A refinement area as a question: without the arbiter's numbers for the members. */
export const askable = (area: string): string => area.replace(/\s*\(Member \d{1,2}\)/g, "").trim();

/** Why a consortium goes on or ends after a round, as a sentence; null while that is not known. */
export function whyOf(iteration: Iteration, view: ConsortiumView): string | null {
  const { verdict } = iteration.judgement;
  if (!verdict) return null;
  const limit = formatShare(view.threshold);
  if (verdict.settled) {
    const reached = formatBeside(verdict.confidence ?? 1, view.threshold);
    return `Settled: confidence ${reached} meets the threshold of ${limit}, and the arbiter did not ask for another round.`;
  }
  const reason = obstacleOf(verdict, iteration.number, view);
  if (goesOn(iteration, view)) return `Next round: ${reason}.`;
  if (view.cut) return `Stopped early, not settled: ${reason}.`;
  return `Not settled: ${reason}. Round ${iteration.number} was the last.`;
}

/** Whether another round follows, or is to follow. */
export const goesOn = (iteration: Iteration, view: ConsortiumView): boolean =>
  iteration !== view.iterations.at(-1) || (view.running && iteration.number < view.most);

/** What keeps a verdict from ending it: each thing that the server asks for, in its order. */
function obstacleOf(verdict: VerdictNote, round: number, view: ConsortiumView): string {
  const { confidence, needs_iteration: more } = verdict;
  const limit = formatShare(view.threshold);
  if (!verdict.parsed) return "the arbiter’s reply has an invalid format";
  if (confidence === null) return "the arbiter gave no confidence";
  const shown = formatBeside(confidence, view.threshold);
  const sure = confidence >= view.threshold;
  if (!sure) {
    const low = `confidence ${shown} is below the threshold of ${limit}`;
    return more ? `${low}, and the arbiter asked for another round` : low;
  }
  const reached = `confidence ${shown} meets the threshold of ${limit}`;
  if (more) return `${reached}, but the arbiter asked for another round`;
  if (round < view.least) return `${reached}, but the minimum is ${view.least} rounds`;
  if (more === null) return `${reached}, but the arbiter did not say whether it needs another round`;
  return "the arbiter’s reply is incomplete";
}

/** How an iteration ended or how it stands, in a few words. */
export function stateOf(iteration: Iteration, view: ConsortiumView): string {
  const { answers, stage, judgement } = iteration;
  const verdict = judgement.verdict;
  if (verdict) {
    if (verdict.settled) return "settled";
    const last = iteration === view.iterations.at(-1);
    if (!last) return "continued";
    if (!view.running) return "not settled: no rounds left";
    return iteration.number < view.most ? "starting next round" : "ending";
  }
  const done = answers.filter(
    (each) => !each.writing && each.reply && each.reply.status !== "waiting",
  ).length;
  switch (stage) {
    case "answering":
      return `${done} of ${answers.length} answered`;
    case "ranking":
      return "members are ranking answers";
    case "judging":
      return `${view.arbiter} is judging`;
    default:
      return "not finished";
  }
}

/** What is read out of a consortium: what a round came to, and the final synthesis. */
export function announcedOf(view: ConsortiumView): AnnouncedRounds {
  const judged = view.iterations.filter(({ judgement }) => judgement.verdict);
  const latest = judged.at(-1);
  const verdict = latest?.judgement.verdict;
  const confidence = formatConfidence(verdict?.confidence);
  const consensus = latest?.agreement?.consensus;
  const figures =
    consensus == null
      ? `Confidence ${confidence}.`
      : `Consensus ${formatShare(consensus)}, confidence ${confidence}.`;
  return {
    running: view.running,
    ended: judged.length,
    round: latest && view.running ? `Round ${latest.number} finished. ${figures}` : "",
    ending:
      view.result && verdict
        ? `Consortium finished, confidence ${confidence}. ${shortened(verdict.synthesis)}`
        : "Consortium ended without a conclusion.",
  };
}
