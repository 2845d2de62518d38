/** How the parts of a consortium are called. */

import type { Member } from "@/features/consortium/members";
import type { AgreementKind, VerdictNote } from "@/features/consortium/notes";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { formatCost } from "@/lib/format";

/** How a sentence is shown: figures that are the same only once one is rounded are no agreement of all. */
export type AgreementLook = AgreementKind | "rounded";

export const lookOf = ({
  kind,
  rounded,
}: {
  kind: AgreementKind;
  rounded?: boolean | undefined;
}): AgreementLook => (rounded && (kind === "all" || kind === "some") ? "rounded" : kind);

export const KINDS: { kind: AgreementLook; label: string; long: string }[] = [
  { kind: "all", label: STRINGS.allAgree, long: STRINGS.allAgreeHint },
  { kind: "some", label: STRINGS.someAgree, long: STRINGS.someAgreeHint },
  {
    kind: "rounded",
    label: STRINGS.agreeWithinRounding,
    long: STRINGS.agreeWithinRoundingHint,
  },
  { kind: "one", label: STRINGS.oneOnly, long: STRINGS.oneOnlyHint },
  { kind: "contradicted", label: STRINGS.disagree, long: STRINGS.disagreeHint },
];

export const kindLabel = (kind: AgreementLook) => KINDS.find((each) => each.kind === kind)?.label ?? kind;

/** A sentence without its Markdown signs, for a table's cell. */
export const plainSentence = (text: string): string =>
  text
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/, "")
    .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
    .trim();

/** A share with two digits, as the arbiter gives it. */
export const formatShare = (value: number): string => value.toFixed(2);

export const formatConfidence = (value: number | null | undefined, limit?: number): string =>
  value === null ? STRINGS.notGiven : value === undefined ? "–" : formatBeside(value, limit ?? value);

/** A share beside a limit that it misses: with as many digits as it takes to see that. */
export function formatBeside(value: number, limit: number): string {
  let digits = 2;
  while (digits < 6 && value !== limit && value.toFixed(digits) === limit.toFixed(digits)) digits += 1;
  return value.toFixed(digits);
}

export const formatTotal = ({ costMicros, unpriced }: ConsortiumView): string =>
  unpriced
    ? costMicros > 0
      ? STRINGS.costAtLeast(formatCost(costMicros))
      : STRINGS.noPrice
    : formatCost(costMicros);

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
    return STRINGS.settled(reached, limit);
  }
  const reason = obstacleOf(verdict, iteration.number, view);
  if (goesOn(iteration, view)) return STRINGS.nextRound(reason);
  if (view.cut) return STRINGS.stoppedEarly(reason);
  return STRINGS.notSettled(reason, iteration.number);
}

/** Whether another round follows, or is to follow. */
export const goesOn = (iteration: Iteration, view: ConsortiumView): boolean =>
  iteration !== view.iterations.at(-1) || (view.running && iteration.number < view.most);

/** What keeps a verdict from ending it: each thing that the server asks for, in its order. */
function obstacleOf(verdict: VerdictNote, round: number, view: ConsortiumView): string {
  const { confidence, needs_iteration: more } = verdict;
  const limit = formatShare(view.threshold);
  if (!verdict.parsed) return STRINGS.reasonInvalidFormat;
  if (confidence === null) return STRINGS.reasonNoConfidence;
  const shown = formatBeside(confidence, view.threshold);
  const sure = confidence >= view.threshold;
  if (!sure) {
    const low = STRINGS.reasonBelow(shown, limit);
    return more ? STRINGS.reasonBelowAndMore(low) : low;
  }
  const reached = STRINGS.reasonMet(shown, limit);
  if (more) return STRINGS.reasonMetButMore(reached);
  if (round < view.least) return STRINGS.reasonMinimum(reached, view.least);
  if (more === null) return STRINGS.reasonMetUndecided(reached);
  return STRINGS.reasonIncomplete;
}

/** How an iteration ended or how it stands, in a few words. */
export function stateOf(iteration: Iteration, view: ConsortiumView): string {
  const { answers, stage, judgement } = iteration;
  const verdict = judgement.verdict;
  if (verdict) {
    if (verdict.settled) return STRINGS.stateSettled;
    const last = iteration === view.iterations.at(-1);
    if (!last) return STRINGS.stateContinued;
    if (!view.running) return STRINGS.stateNoRoundsLeft;
    return iteration.number < view.most ? STRINGS.stateNextRound : STRINGS.stateEnding;
  }
  const done = answers.filter(
    (each) => !each.writing && each.reply && each.reply.status !== "waiting",
  ).length;
  switch (stage) {
    case "answering":
      return STRINGS.stateAnswered(done, answers.length);
    case "ranking":
      return STRINGS.stateRanking;
    case "judging":
      return STRINGS.stateJudging(view.arbiter);
    default:
      return STRINGS.stateNotFinished;
  }
}
