/** The colour of a seat, before its name. */
import { cn } from "@/lib/cn";

interface SeatDotProps {
  color: string | undefined;
  className?: string;
}

export const SeatDot = ({ color, className = "size-2" }: SeatDotProps) => (
  <i aria-hidden="true" className={cn("shrink-0 rounded-full", className)} style={{ background: color }} />
);
