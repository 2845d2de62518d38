/** What a picture of a comparison shows: all answers of a turn that has ended. Pure. */

import type { MatchView, TurnView } from "@/api/types";
import { filesLeftOut, makerOf, type Scene } from "@/features/arena/pictures/scene";
import { askedSince, isWithdrawn } from "@/features/arena/vote-status";
import type { Contender } from "@/features/compare/turn-facts";
import { formatCost, formatMs } from "@/lib/format";
import { isUnfinished } from "@/turn/reduce-turn";

/** Makes the picture's content; null until there are answers, and where a name is hidden. */
export function pictureOf(
  match: MatchView,
  turn: TurnView,
  contenders: readonly Contender[],
): (() => Scene) | null {
  const answered = contenders.filter(({ reply }) => reply?.text);
  if (match.blind || isUnfinished(turn.status) || answered.length === 0) return null;
  return () => sceneOf(match, turn, contenders);
}

function sceneOf(match: MatchView, turn: TurnView, contenders: readonly Contender[]): Scene {
  const cast = match.votes.find(({ turn_id }) => turn_id === turn.id);
  // A vote on other answers than those in sight says nothing of these.
  const vote = cast && !isWithdrawn(cast) && askedSince(cast, turn).length === 0 ? cast : null;
  const asked = turn.input.type === "prompt" ? turn.input : { text: "", attachments: [] };
  const preferred = contenders.find(({ seat }) => seat === vote?.vote);
  return {
    kind: "Comparison",
    question: asked.text,
    asked: filesLeftOut(asked.attachments.length),
    result: preferred ? `${preferred.name} was preferred.` : (WORDS[vote?.vote ?? ""] ?? ""),
    byPerson: true,
    more: vote?.reason ? [`“${vote.reason}”`] : [],
    answers: contenders.map((each) => answerOf(each, match, preferred)),
    at: turn.created_at,
  };
}

const WORDS: Record<string, string> = {
  tie: "The answers are about the same.",
  none: "None of the answers is good.",
};

function answerOf(contender: Contender, match: MatchView, preferred: Contender | undefined) {
  const { seat, name, color, reply } = contender;
  const model = match.seats.find((each) => each.name === seat)?.model;
  const metrics = reply?.metrics;
  const cost = metrics && metrics.cost_micros !== null ? formatCost(metrics.cost_micros) : "";
  return {
    name,
    maker: makerOf(model),
    organization: model?.organization ?? "",
    color,
    text: reply?.text || (reply?.error?.title ?? ""),
    facts: metrics ? [formatMs(metrics.duration_ms), cost].filter(Boolean).join(" · ") : "",
    without: [
      filesLeftOut(reply?.parts.length ?? 0),
      reply && reply.status !== "completed" ? "The answer is incomplete" : "",
    ]
      .filter(Boolean)
      .join(" · "),
    picked: contender === preferred,
  };
}
