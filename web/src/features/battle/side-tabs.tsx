/** On a phone: which of the two panels is shown, as tabs with dots. */

import { Check } from "lucide-react";
import type { MatchView } from "@/api/types";
import { SeatMark } from "@/features/battle/seat-mark";
import type { Side } from "@/features/battle/seats";
import { pickOf } from "@/features/battle/seats";
import { cn } from "@/lib/cn";

interface SideTabsProps {
  sides: Side[];
  /** Those that nobody has looked at yet. */
  unseen: Side[];
  match: MatchView;
  shown: number;
  onShow: (index: number) => void;
}

export function SideTabs({ sides, unseen, match, shown, onShow }: SideTabsProps) {
  return (
    <fieldset className="flex min-w-0 rounded-[9px] border border-line bg-surface p-0.5">
      <legend className="sr-only">Shown panel</legend>
      {sides.map((side, index) => (
        <button
          key={side.seat.id}
          type="button"
          aria-pressed={index === shown}
          onClick={() => onShow(index)}
          className={cn(
            "focus-inset flex min-h-11 min-w-0 flex-1 items-center justify-center gap-2 rounded-[7px] px-2 text-sm leading-tight font-medium",
            index === shown ? "bg-raised text-ink shadow-[0_0_0_1px_var(--line-strong)]" : "text-ink-2",
          )}
        >
          <SeatMark side={side} />
          <span className="[overflow-wrap:anywhere]">
            {match.blind ? side.alias : (side.seat.model?.name ?? side.alias)}
            {unseen.some(({ seat }) => seat.id === side.seat.id) && (
              <span className="block text-xs font-normal text-accent">Not read yet</span>
            )}
          </span>
          {pickOf(match) === side.seat.name && (
            <Check aria-label="Your pick" className="size-4 shrink-0 text-gold" />
          )}
        </button>
      ))}
    </fieldset>
  );
}
