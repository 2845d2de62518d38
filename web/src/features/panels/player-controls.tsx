/** Play, pause, scrub, faster. */

import { Pause, Play, RotateCcw } from "lucide-react";
import type { Player } from "@/features/panels/use-player";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { sliderFill } from "@/lib/slider-fill";
import { IconButton } from "@/ui/icon-button";
import { Segmented } from "@/ui/segmented";

const SPEEDS = [
  { value: "1", label: "1×" },
  { value: "2", label: "2×" },
  { value: "8", label: "8×" },
];
const JUMP_MS = 2000;

/** `duration` is in milliseconds. */
export function PlayerControls({ player, duration }: { player: Player; duration: number }) {
  const { at, playing, speed, toggle, seek, setSpeed } = player;
  const over = at >= duration;
  useHotkeys(
    {
      " ": toggle,
      ArrowLeft: () => seek(at - JUMP_MS * speed),
      ArrowRight: () => seek(at + JUMP_MS * speed),
    },
    (event) =>
      !typing(event.target) && !overlayOpen() && !(event.target as Element).closest?.("button, [role=radio]"),
  );
  const Icon = playing ? Pause : over ? RotateCcw : Play;
  return (
    <div
      role="group"
      aria-label="Player"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2"
    >
      <IconButton
        label={playing ? "Pause" : over ? "Play again" : "Play"}
        variant="outline"
        side="top"
        onClick={toggle}
      >
        <Icon />
      </IconButton>
      <input
        type="range"
        aria-label="Replay position"
        aria-valuetext={`${clock(at)} of ${clock(duration)}`}
        min={0}
        max={Math.max(1, Math.round(duration))}
        step={1}
        value={Math.round(at)}
        onChange={(event) => seek(Number(event.target.value))}
        style={sliderFill(at / Math.max(1, duration))}
        className="h-5 min-w-24 flex-1 cursor-pointer"
      />
      <span className="num w-24 text-right text-xs text-ink-2 max-sm:w-20">
        {clock(at)} / {clock(duration)}
      </span>
      <Segmented
        label="Speed"
        value={String(speed)}
        options={SPEEDS}
        onChange={(next) => setSpeed(Number(next))}
        className="[&>*]:px-2"
      />
    </div>
  );
}

/** "0:07". */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
