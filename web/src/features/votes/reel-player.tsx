/** Shows a reel: the question and the answers of the scene that is on, and what follows at its end. */

import type { ReactNode } from "react";
import { PlayerControls } from "@/features/panels/player-controls";
import { usePlayer } from "@/features/panels/use-player";
import { type Reel, sceneAt } from "@/features/votes/reel";
import { ReplayPanel } from "@/features/votes/replay-panel";
import { calm } from "@/lib/motion";

interface ReelPlayerProps {
  reel: Reel;
  /** Which of several scenes is on, in words. */
  of: (scene: number, scenes: number) => string;
  /** The models are named from the beginning. */
  open?: boolean;
  /** The seat whose answer won, which the end shows. */
  preferred?: string;
  /** What the end shows. */
  outcome?: ReactNode;
}

export function ReelPlayer({ reel, of, open = false, preferred, outcome }: ReelPlayerProps) {
  const player = usePlayer(reel.duration, !calm());
  const on = sceneAt(reel, player.at);
  const over = player.at >= reel.duration;
  if (!on) return null;
  const { scene, index } = on;
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-[calc(var(--container-page)+40px)] flex-1 flex-col gap-3 p-3 sm:p-5">
      <div className="flex items-start justify-end gap-3">
        {reel.scenes.length > 1 && (
          <p className="num pt-2 text-xs text-ink-3">{of(index + 1, reel.scenes.length)}</p>
        )}
        <p className="line-clamp-3 max-w-[68ch] rounded-lg bg-raised px-4 py-2.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {scene.replay.prompt ?? "…"}
        </p>
      </div>
      <div className="grid min-h-0 flex-1 auto-rows-[minmax(11rem,1fr)] gap-3.5 overflow-y-auto sm:auto-cols-[minmax(16rem,1fr)] sm:grid-flow-col">
        {scene.replay.replies.map((reply, side) => (
          <ReplayPanel
            key={reply.reply_id}
            reply={reply}
            turnId={scene.replay.turn_id}
            side={side}
            at={player.at - scene.start}
            open={open}
            over={over}
            preferred={over && preferred === reply.seat}
          />
        ))}
      </div>
      {outcome && (
        <div
          aria-live="polite"
          className="flex min-h-9 flex-wrap items-center justify-center gap-x-4 gap-y-1 text-center"
        >
          {over && outcome}
        </div>
      )}
      <PlayerControls player={player} duration={reel.duration} />
    </div>
  );
}
