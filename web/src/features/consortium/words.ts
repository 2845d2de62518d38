/** How the parts of a consortium are called. */

import type { Member } from "@/features/consortium/members";
import type { AgreementKind } from "@/features/consortium/notes";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { formatCost } from "@/lib/format";

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved consortium", all: "Saved consortia" };

export const KINDS: { kind: AgreementKind; label: string; long: string }[] = [
  { kind: "all", label: "all agree", long: "Everybody who answered says this" },
  { kind: "some", label: "some agree", long: "At least one other says this" },
  { kind: "one", label: "one says", long: "Nobody else says this" },
  { kind: "contradicted", label: "disagree", long: "Another one, or the arbiter, says otherwise" },
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

export const formatConfidence = (value: number | null | undefined): string =>
  value === null ? "not given" : value === undefined ? "–" : formatShare(value);

export const formatTotal = ({ costMicros, unpriced }: ConsortiumView): string =>
  unpriced ? (costMicros > 0 ? `over ${formatCost(costMicros)}` : "no price") : formatCost(costMicros);

/** The arbiter knows the members by numbers; a reader knows them by name. */
export function nameMembers(text: string, shown: readonly string[], members: readonly Member[]): string {
  return text.replace(/\bMember (\d{1,2})\b/g, (all, number: string) => {
    const seat = shown[Number(number) - 1];
    return members.find((member) => member.seat === seat)?.name ?? all;
  });
}

/** A refinement area as a question: without the arbiter's numbers for the members. */
export const askable = (area: string): string => area.replace(/\s*\(Member \d{1,2}\)/g, "").trim();

/** How an iteration ended or how it stands, in a few words. */
export function stateOf(iteration: Iteration, view: ConsortiumView): string {
  const { answers, stage, judgement } = iteration;
  const verdict = judgement.verdict;
  if (verdict) {
    if (verdict.settled) return "settled";
    const last = iteration === view.iterations.at(-1);
    if (!last) return "another round";
    if (!view.running) return "not settled: the rounds are over";
    return iteration.number < view.most ? "another round begins" : "ending";
  }
  const done = answers.filter(
    (each) => !each.writing && each.reply && each.reply.status !== "waiting",
  ).length;
  switch (stage) {
    case "answering":
      return `${done} of ${answers.length} have answered`;
    case "ranking":
      return "the members rank each other";
    case "judging":
      return `${view.arbiter} judges`;
    default:
      return "not finished";
  }
}
