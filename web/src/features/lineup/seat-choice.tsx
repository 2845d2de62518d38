/** Chooses who sits on a seat, how often where several may, and how it is asked. */

import { Minus, Plus, Trash2 } from "lucide-react";
import { type CSSProperties, type ReactNode, useState } from "react";
import type { SeatSettings } from "@/api/types";
import { ModelPicker } from "@/features/arena/model-picker";
import { SeatSettingsForm } from "@/features/lineup/seat-settings-form";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Segmented } from "@/ui/segmented";

interface SeatChoiceProps {
  value: string | null;
  onChoose: (model: string) => void;
  count?: number;
  most?: number;
  onCount?: (count: number) => void;
  onRemove?: (() => void) | undefined;
  /** How the seat is asked; left out where the mode does not let a person say. */
  settings?: SeatSettings | null;
  onSettings?: ((settings: SeatSettings, all: boolean) => void) | undefined;
  /** What the mode itself says of the seat. */
  own?: { label: string; form: ReactNode };
}

type Part = "model" | "own" | "settings";

/** How much of the popover's height the row above the picker takes. */
const ABOVE = { "--picker-above": "46px" } as CSSProperties;

export function SeatChoice(props: SeatChoiceProps) {
  const { value, onChoose, count, most = 10, onCount, onRemove, settings, onSettings, own } = props;
  const [part, setPart] = useState<Part>("model");
  const counts = count !== undefined && onCount !== undefined;
  const row = counts || onRemove !== undefined || onSettings !== undefined;
  return (
    <>
      {row && (
        <div className="flex items-center gap-2 border-b border-line px-3.5 py-2 text-sm">
          {onSettings && (
            <Segmented
              label="Seat"
              value={part}
              onChange={setPart}
              options={[
                { value: "model", label: "Model" },
                ...(own ? [{ value: "own" as const, label: own.label }] : []),
                { value: "settings", label: "Settings" },
              ]}
            />
          )}
          {counts && <Count count={count} most={most} onCount={onCount} />}
          <span className="flex-1" />
          {onRemove && (
            <Button size="sm" variant="quiet" onClick={onRemove}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
      )}
      {own && part === "own" ? (
        own.form
      ) : onSettings && part === "settings" ? (
        <SeatSettingsForm model={value} value={settings ?? null} onChange={onSettings} />
      ) : (
        <div style={row ? ABOVE : undefined}>
          <ModelPicker value={value} onChoose={onChoose} />
        </div>
      )}
    </>
  );
}

interface CountProps {
  count: number;
  most: number;
  onCount: (count: number) => void;
}

function Count({ count, most, onCount }: CountProps) {
  return (
    <>
      <span id="seat-count" className="text-ink-2">
        Copies
      </span>
      <div role="group" aria-labelledby="seat-count" className="flex items-center gap-1">
        <IconButton
          size="icon-sm"
          label="Fewer copies"
          disabled={count <= 1}
          onClick={() => onCount(count - 1)}
        >
          <Minus />
        </IconButton>
        <output className="num min-w-5 text-center font-medium">{count}</output>
        <IconButton
          size="icon-sm"
          label="More copies"
          disabled={count >= most}
          onClick={() => onCount(count + 1)}
        >
          <Plus />
        </IconButton>
      </div>
    </>
  );
}
