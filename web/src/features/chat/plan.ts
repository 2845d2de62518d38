/** What the next prompt does to a chat. Pure. */

import type { SeatSettings, SeatView } from "@/api/types";
import {
  type Choosing,
  type ContinueFrom,
  lastTurn,
  type Plan,
  type Situation,
} from "@/features/arena/mode-feature";
import { MODE_STRINGS } from "@/features/chat/mode-strings";

type Asked = Situation & Pick<Choosing, "setup">;

/** The same model goes on in the same match; another one, or other settings, carry the conversation on in a new one. */
export function planChat({ record, model, from, setup }: Asked): Plan {
  if (model === null) return { kind: "wait", why: MODE_STRINGS.noModels };
  const settings = settingsIn({ record, setup });
  const asked = {
    seats: { assistant: model },
    ...(settings && saysSomething(settings) && { seat_settings: { assistant: settings } }),
  };
  if (from) return { kind: "match", ...asked, continue_from: from };
  const turn = lastTurn(record);
  const seat = record?.match.seats[0];
  if (!record || !turn || !seat) return { kind: "match", ...asked };
  if (seat.model?.id === model && same(settings, seat.settings)) {
    return { kind: "turn", matchId: record.match.id };
  }
  return { kind: "match", ...asked, continue_from: { turn_id: turn.id, seat: seat.name } };
}

/** How the model will be asked: as was chosen for the next question, else as in the match. */
export function settingsIn({ record, setup }: Pick<Asked, "record" | "setup">): SeatSettings | null {
  return (setup as SeatSettings | null) ?? record?.match.seats[0]?.settings ?? null;
}

export const saysSomething = (settings: SeatSettings | null): boolean =>
  settings !== null && Object.values(settings).some((value) => value !== null);

const NONE: SeatSettings = { temperature: null, max_output_tokens: null, system_prompt: null };

const same = (one: SeatSettings | null, other: SeatSettings | null | undefined): boolean => {
  const [a, b] = [
    { ...NONE, ...one },
    { ...NONE, ...other },
  ];
  return (
    a.temperature === b.temperature &&
    a.max_output_tokens === b.max_output_tokens &&
    a.system_prompt === b.system_prompt
  );
};

/** Whose words come before a turn: those of the turn before it, else those that its match carries on. */
export function lastBefore(seat: SeatView | undefined, before: string | undefined): ContinueFrom | null {
  if (before && seat) return { turn_id: before, seat: seat.name };
  return seat?.continues ?? null;
}
