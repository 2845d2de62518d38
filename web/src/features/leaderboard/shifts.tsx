/** By how many points another fit of the same votes moves scores. */

import type { RatingShift } from "@/api/standings-types";
import { formatSigned } from "@/lib/format";

interface ShiftsProps {
  shifts: readonly RatingShift[];
  nameOf: (id: string) => string;
}

export function Shifts({ shifts, nameOf }: ShiftsProps) {
  if (shifts.length === 0) return null;
  return (
    <ul className="num mt-1.5 flex flex-col gap-1 text-ink-2">
      {shifts.map(({ model, points, ci_lower, ci_upper }) => (
        <li key={model}>
          <b className="font-medium normal-nums text-ink">{nameOf(model)}</b> {formatSigned(points)} points
          (95% interval {formatSigned(ci_lower)} to {formatSigned(ci_upper)})
        </li>
      ))}
    </ul>
  );
}
