/** What the composer's text is, of what the mode takes now. */
import { useState } from "react";
import type { MatchRecord, ModeCard, SeatView } from "@/api/types";
import type { Chosen } from "@/features/arena/input-chip";
import { hasText, possibleInputs } from "@/features/arena/inputs";
import type { InputType, InputWords, Plan } from "@/features/arena/mode-feature";

interface ComposerInput {
  types: readonly InputType[];
  chosen: Chosen;
  choose: (chosen: Chosen | null) => void;
  /** Those who sit there now. */
  seats: readonly SeatView[];
  /** What can be sent without words: what was chosen to be sent so, else leave to go on. */
  wordless: InputType | null;
}

export function useComposerInput(
  info: ModeCard | undefined,
  record: MatchRecord | null,
  running: boolean,
  plan: Plan,
  words: InputWords | undefined,
): ComposerInput {
  const [wanted, setWanted] = useState<{ chosen: Chosen; at: string | undefined } | null>(null);
  const at = record?.match.id;
  const types = possibleInputs(info, record, running, plan);
  const seats = record?.match.seats.filter((seat) => seat.until_turn == null) ?? [];
  const usual = record && !running && words?.usual(record);
  const first = usual && types.includes(usual) ? usual : types[0];
  const chosen = choiceOf(wanted?.at === at ? (wanted?.chosen ?? null) : null, types, seats, first);
  const goesOn = types.includes("continue") ? "continue" : null;
  return {
    types,
    chosen,
    choose: (next) => setWanted(next && { chosen: next, at }),
    seats,
    wordless: hasText(chosen.type) ? goesOn : chosen.type,
  };
}

/** What was chosen here, while it is possible; else what it usually is. */
function choiceOf(
  wanted: Chosen | null,
  types: readonly InputType[],
  seats: readonly SeatView[],
  type: InputType = "prompt",
): Chosen {
  const isSeated = wanted?.seat == null || seats.some(({ name }) => name === wanted.seat);
  if (wanted && isSeated && types.includes(wanted.type)) return wanted;
  return { type, seat: type === "ask" ? (seats[0]?.name ?? null) : null };
}
