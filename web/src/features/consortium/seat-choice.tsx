/** Chooses who sits on a seat, and for a member how often. */
import { Minus, Plus, Trash2 } from "lucide-react";
import type { CSSProperties } from "react";
import { ModelPicker } from "@/features/arena/model-picker";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

interface SeatChoiceProps {
  value: string | null;
  onChoose: (model: string) => void;
  count?: number;
  most?: number;
  onCount?: (count: number) => void;
  onRemove?: (() => void) | undefined;
}

/** How much of the popover's height the counter above the picker takes. */
const ABOVE = { "--picker-above": "46px" } as CSSProperties;

export function SeatChoice({ value, onChoose, count, most = 10, onCount, onRemove }: SeatChoiceProps) {
  const counts = count !== undefined && onCount !== undefined;
  return (
    <>
      {counts && (
        <div className="flex items-center gap-2 border-b border-line px-3.5 py-2 text-sm">
          <span id="seat-count" className="text-ink-2">
            How many of it
          </span>
          <div role="group" aria-labelledby="seat-count" className="flex items-center gap-1">
            <IconButton
              size="icon-sm"
              label="One fewer"
              disabled={count <= 1}
              onClick={() => onCount(count - 1)}
            >
              <Minus />
            </IconButton>
            <output className="num min-w-5 text-center font-medium">{count}</output>
            <IconButton
              size="icon-sm"
              label="One more"
              disabled={count >= most}
              onClick={() => onCount(count + 1)}
            >
              <Plus />
            </IconButton>
          </div>
          <span className="flex-1" />
          {onRemove && (
            <Button size="sm" variant="quiet" onClick={onRemove}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
      )}
      <div style={counts ? ABOVE : undefined}>
        <ModelPicker value={value} onChoose={onChoose} />
      </div>
    </>
  );
}
