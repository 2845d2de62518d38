/** What the composer's text is, of what the mode takes now. */
import { useState } from "react";
import type { MatchRecord, ModeCard, SeatView } from "@/api/types";
import type { Chosen } from "@/features/arena/input-chip";
import { hasText, possibleInputs } from "@/features/arena/inputs";
import type { InputType, Plan } from "@/features/arena/mode-feature";

interface Saying {
  types: readonly InputType[];
  chosen: Chosen;
  choose: (chosen: Chosen | null) => void;
  /** Those who sit there now. */
  seats: readonly SeatView[];
  /** What can be sent without words: what was chosen to be sent so, else leave to go on. */
  wordless: InputType | null;
}

export function useSaying(
  info: ModeCard | undefined,
  record: MatchRecord | null,
  running: boolean,
  plan: Plan,
): Saying {
  const [wanted, choose] = useState<Chosen | null>(null);
  const types = possibleInputs(info, record, running, plan);
  const chosen =
    wanted && types.includes(wanted.type) ? wanted : { type: types[0] ?? ("prompt" as const), seat: null };
  const seats = record?.match.seats.filter((seat) => seat.until_turn == null) ?? [];
  const goesOn = types.includes("continue") ? "continue" : null;
  return { types, chosen, choose, seats, wordless: hasText(chosen.type) ? goesOn : chosen.type };
}
