/** What a picture of a battle shows. Only of one that was voted on, whose models its viewer knows. Pure. */

import type { MatchView, RatedSeat, TurnView } from "@/api/types";
import { filesLeftOut, makerOf, type Scene } from "@/features/arena/pictures/scene";
import { pickOf, type Side, sidesOf } from "@/features/battle/seats";
import { stepsOf } from "@/features/tools/steps";
import { formatSigned } from "@/lib/format";
import { whyNotCounted } from "@/lib/not-counted";

/** Makes the picture's content; null before the vote, without it, and while a name is hidden. */
export function pictureOf(match: MatchView, turn: TurnView, last: boolean): (() => Scene) | null {
  const named = match.seats.every(({ model }) => model);
  if (match.blind || !named || !match.vote || pickOf(match) === undefined) return null;
  return () => sceneOf(match, turn, last);
}

function sceneOf(match: MatchView, turn: TurnView, last: boolean): Scene {
  const { vote } = match;
  const asked = turn.input.type === "prompt" ? turn.input : { text: "", attachments: [] };
  const several = turn.index > 0 || !last;
  return {
    kind: "Blind battle",
    question: asked.text,
    asked: filesLeftOut(asked.attachments.length),
    result: resultOf(match),
    byPerson: true,
    more: [
      vote?.reason ? `“${vote.reason}”` : "",
      several ? `Question ${turn.index + 1} of this battle. The vote covers all its questions.` : "",
      vote && !vote.counted ? whyNotCounted(vote.not_counted_reason) : "",
    ].filter(Boolean),
    answers: sidesOf(match).map((side) => answerOf(side, match, turn)),
    at: turn.created_at,
  };
}

function answerOf({ seat, alias, color }: Side, match: MatchView, turn: TurnView) {
  const reply = stepsOf(turn, seat.name).at(-1);
  return {
    name: seat.model?.name ?? alias,
    maker: makerOf(seat.model),
    organization: seat.model?.organization ?? "",
    color,
    text: reply?.text ?? "",
    facts: match.vote?.counted ? eloOf(match.vote.seats[seat.name]) : "",
    without: filesLeftOut(reply?.parts.length ?? 0),
    picked: pickOf(match) === seat.name,
  };
}

/** The figures as they are shown, so that their sum is right. */
function eloOf(rated: RatedSeat | undefined): string {
  if (!rated || rated.elo_before === null || rated.elo_after === null) return "";
  const [before, after] = [Math.round(rated.elo_before), Math.round(rated.elo_after)];
  return `Elo ${before} → ${after} (${formatSigned(after - before)})`;
}

function resultOf(match: MatchView): string {
  const sides = sidesOf(match).map((side) => ({ ...side, name: side.seat.model?.name ?? side.alias }));
  const pick = pickOf(match);
  const won = sides.find(({ seat }) => seat.name === pick);
  const others = sides.filter((side) => side !== won).map(({ name }) => name);
  if (won) return `${won.name} was picked over ${others.join(" and ")}.`;
  return `${pick === "tie" ? "A tie" : "Both are bad"}: ${others.join(" and ")}.`;
}
