/** What the next prompt does to a chat. Pure. */

import { lastTurn, type Plan, type Situation } from "@/features/arena/mode-feature";
import { MODE_STRINGS } from "@/features/chat/mode-strings";

/** The same model goes on in the same match; another one carries the conversation on in a new match. */
export function planChat({ record, model, from }: Situation): Plan {
  if (model === null) return { kind: "wait", why: MODE_STRINGS.noModels };
  const seats = { assistant: model };
  if (from) return { kind: "match", seats, continue_from: from };
  const turn = lastTurn(record);
  const seat = record?.match.seats[0];
  if (!record || !turn || !seat) return { kind: "match", seats };
  if (seat.model?.id === model) return { kind: "turn", matchId: record.match.id };
  return { kind: "match", seats, continue_from: { turn_id: turn.id, seat: seat.name } };
}
