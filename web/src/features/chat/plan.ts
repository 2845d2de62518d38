/** What the next prompt does to a chat. Pure. */

import type { SeatSettings, SeatView } from "@/api/types";
import {
  type Choosing,
  type ContinueFrom,
  LOADING,
  lastTurn,
  type Plan,
  type Situation,
} from "@/features/arena/mode-feature";
import { fitting, NO_SETTINGS } from "@/features/lineup/seat-settings";

type Asked = Situation & Pick<Choosing, "setup"> & Partial<Pick<Choosing, "models" | "instructions">>;

/** The same model goes on in the same match; another one, or other settings, carry the conversation on in a new one. */
export function planChat(asked: Asked): Plan {
  const { record, model, models, from } = asked;
  if (model === null) return models ? { kind: "wait", why: "No models available" } : LOADING;
  const isNew = !record && !from && !asked.setup;
  if (isNew && asked.instructions === undefined) return LOADING;
  const settings = fitting(settingsIn(asked), model, models);
  const begun = {
    seats: { assistant: model },
    ...(settings && saysSomething(settings) && { seat_settings: { assistant: settings } }),
  };
  if (from) return { kind: "match", ...begun, continue_from: from };
  const turn = lastTurn(record);
  const seat = record?.match.seats[0];
  if (!record || !turn || !seat) return { kind: "match", ...begun };
  if (seat.model?.id === model && same(settings, seat.settings)) {
    return { kind: "turn", matchId: record.match.id };
  }
  return { kind: "match", ...begun, continue_from: { turn_id: turn.id, seat: seat.name } };
}

/** How the model will be asked: as was chosen for the next question, else as in the match; a new chat by its person's instructions. */
export function settingsIn({ record, from, setup, instructions }: Asked): SeatSettings | null {
  if (setup) return setup as SeatSettings;
  if (record) return record.match.seats[0]?.settings ?? null;
  return instructions && !from ? { ...NO_SETTINGS, system_prompt: instructions } : null;
}

export const saysSomething = (settings: SeatSettings | null): boolean =>
  settings !== null && Object.values(settings).some((value) => value != null);

export const same = (one: SeatSettings | null, other: SeatSettings | null | undefined): boolean => {
  const [a, b] = [
    { ...NO_SETTINGS, ...one },
    { ...NO_SETTINGS, ...other },
  ];
  return Object.keys(NO_SETTINGS).every(
    (key) => JSON.stringify(a[key as keyof SeatSettings]) === JSON.stringify(b[key as keyof SeatSettings]),
  );
};

/** Whose words come before a turn: those of the turn before it, else those that its match carries on. */
export function lastBefore(seat: SeatView | undefined, before: string | undefined): ContinueFrom | null {
  if (before && seat) return { turn_id: before, seat: seat.name };
  return seat?.continues ?? null;
}
