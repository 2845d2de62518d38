/** What the person gave a mode besides a question, in words. */

import type { Interjection, SeatView } from "@/api/types";
import { seatLabel } from "@/features/arena/input-chip";
import { STRINGS } from "@/features/general/strings";

interface SaidProps {
  input: Interjection["input"];
  seats: readonly SeatView[];
  note?: string;
}

export function Said({ input, seats, note }: SaidProps) {
  const seat = "seat" in input ? seats.find(({ name }) => name === input.seat) : undefined;
  const text = "text" in input ? input.text : "";
  return (
    <div className="ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs border border-line px-[15px] py-2 text-sm">
      <p className="text-xs text-ink-3">
        {captionOf(input.type, seat && seatLabel(seat))}
        {note && ` ${note}`}
      </p>
      {text && <p className="mt-0.5 text-md whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
    </div>
  );
}

function captionOf(type: Interjection["input"]["type"], seat: string | undefined): string {
  switch (type) {
    case "continue":
      return STRINGS.youContinued;
    case "steer":
      return STRINGS.youSteered;
    case "add":
      return STRINGS.youAdded;
    case "ask":
      return STRINGS.youAsked(seat ?? STRINGS.aModel);
    case "skip":
      return seat ? STRINGS.youSkipped(seat) : STRINGS.youSkippedTurn;
    case "synthesise":
      return STRINGS.youConcluded;
    default:
      return STRINGS.youSaid;
  }
}
