import type { CSSProperties } from "react";
import type { Side } from "@/features/battle/seats";

/** A seat's letter in its colour; beside a name it is the seat in which that model sat. */
export function SeatMark({ side }: { side: Side }) {
  return (
    <span className="seat-mark" style={{ "--seat": side.color } as CSSProperties}>
      <span aria-hidden={side.seat.model ? undefined : true}>{side.letter}</span>
    </span>
  );
}
