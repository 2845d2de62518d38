/** What a picture of a consortium shows: the final synthesis, and how it came about. Pure. */

import type { MatchView, TurnView } from "@/api/types";
import { filesLeftOut, makerOf, type Scene } from "@/features/arena/pictures/scene";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { formatConfidence, formatShare } from "@/features/consortium/words";
import { formatMs, formatSpent } from "@/lib/format";

/** Makes the picture's content; null until there is a verdict. */
export function pictureOf(match: MatchView, turn: TurnView, view: ConsortiumView): (() => Scene) | null {
  if (match.blind || view.running || !view.iterations.at(-1)?.judgement.verdict?.synthesis) return null;
  return () => sceneOf(match, turn, view);
}

function sceneOf(match: MatchView, turn: TurnView, view: ConsortiumView): Scene {
  const asked = turn.input.type === "prompt" ? turn.input : { text: "", attachments: [] };
  const last = view.iterations.at(-1);
  const verdict = last?.judgement.verdict;
  const arbiter = match.seats.find(({ role }) => role === "arbiter")?.model;
  const rounds = view.iterations.length;
  const consensus = last?.agreement?.consensus;
  return {
    kind: "Consortium",
    question: asked.text,
    asked: filesLeftOut(asked.attachments.length),
    result: `${view.members.map(({ name }) => name).join(", ")} answered, ${view.arbiter} judged.`,
    byPerson: false,
    more: [
      [
        `${verdict?.settled ? "Settled" : "Not settled"} after ${rounds} ${rounds === 1 ? "round" : "rounds"}`,
        `confidence ${formatConfidence(verdict?.confidence, view.threshold)} (threshold ${formatShare(view.threshold)})`,
        consensus == null ? "" : `consensus ${formatShare(consensus)}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ],
    answers: [
      {
        name: `Synthesis by ${view.arbiter}`,
        maker: makerOf(arbiter),
        organization: arbiter?.organization ?? "",
        color: "var(--line-strong)",
        text: verdict?.synthesis ?? "",
        facts: `${formatSpent(view.costMicros, view.unpriced)} · ${formatMs(view.tookMs)}`,
        without: "",
        picked: false,
      },
    ],
    at: turn.created_at,
  };
}
