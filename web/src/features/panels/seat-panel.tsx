/** What one seat said in one round: who it is, the text, what it took, and what can be done with it. */

import { Check, RotateCcw, Square } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import type { MatchView, ReplyView, TurnView } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { CameAbout } from "@/features/arena/came-about";
import { seatLabel } from "@/features/arena/input-chip";
import { JumpButton } from "@/features/arena/jump-button";
import { MetricsLine } from "@/features/arena/metrics-line";
import { Reasoning } from "@/features/arena/reasoning";
import { isWriting, ReplyBody } from "@/features/arena/reply-body";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { useRetrySeat, useStopSeat } from "@/features/arena/use-turn-actions";
import { seatColor } from "@/features/lineup/seat-colors";
import { Attempts } from "@/features/panels/attempts";
import { STRINGS } from "@/features/panels/strings";
import { cn } from "@/lib/cn";
import { titled } from "@/lib/format";
import { isUnfinished } from "@/turn/reduce-turn";
import { IconButton } from "@/ui/icon-button";

interface SeatPanelProps {
  match: MatchView;
  turn: TurnView;
  reply: ReplyView;
  preferred: boolean;
  /** In the session's last turn a seat can be asked again. */
  last: boolean;
  /** What it is called, where its model's name does not tell it from another seat. */
  name?: string | undefined;
  /** Stands beside the name, in place of the seat's role. */
  about?: string;
  /** The text as the model wrote it. */
  raw?: boolean;
  /** What stands there in place of the whole text. */
  shown?: string | undefined;
  /** Stands above the text. */
  above?: ReactNode;
  /** What else can be done with it, in its head and at its foot. */
  actions?: ReactNode;
  foot?: ReactNode;
  className?: string;
}

export const SeatPanel = memo(function SeatPanel({
  match,
  turn,
  reply,
  preferred,
  last,
  ...look
}: SeatPanelProps) {
  const area = useRef<HTMLDivElement>(null);
  const index = match.seats.findIndex(({ name }) => name === reply.seat);
  const seat = match.seats[index];
  const running = isUnfinished(turn.status);
  const writing = running && isWriting(reply);
  const tail = useFollowTail(area, { growing: writing, whole: reply.status === "completed" });
  const again = useRetrySeat();
  const stop = useStopSeat();
  const name = look.name ?? (seat ? seatLabel(seat) : reply.seat);
  const stoppable = writing && !match.blind && match.seats.length > 1;
  const roles = new Set(match.seats.map(({ role }) => role));
  const about = look.about ?? (seat && roles.size > 1 && titled(seat.role));
  // What was never asked took nothing.
  const took = reply.error && !reply.metrics?.duration_ms ? null : reply.metrics;
  const repeatable = last && !running && !match.blind && match.status === "open";
  return (
    <section
      role="group"
      aria-label={reply.round > 0 ? STRINGS.nameAndRound(name, reply.round) : name}
      className={cn(
        "relative flex min-w-0 flex-col rounded-lg border bg-surface",
        preferred ? "border-gold-line shadow-[0_0_0_1px_var(--gold-line)]" : "border-line",
        look.className,
      )}
    >
      <header className="flex min-h-10 items-center gap-2 border-b border-line py-0.5 pr-1.5 pl-3.5">
        <i
          aria-hidden="true"
          className="size-2 shrink-0 rounded-full"
          style={{ background: seatColor(Math.max(0, index)) }}
        />
        <div className="min-w-20 flex-1">
          <h2
            className="text-sm leading-tight font-semibold [overflow-wrap:anywhere]"
            title={seat?.model?.id}
          >
            {name}
            {about && <span className="block text-xs font-normal text-ink-3">{about}</span>}
          </h2>
          {preferred && (
            <p className="flex items-center gap-1 text-xs leading-tight font-medium text-gold">
              <Check aria-hidden="true" className="size-3" />
              {STRINGS.yourPick}
            </p>
          )}
        </div>
        <div className="flex shrink-0 items-center gap-0.5">
          {look.actions}
          {reply.text && !writing && <CopyButton text={reply.text} label={STRINGS.copyAnswerOf(name)} />}
          {reply.text && !writing && <ReplyMenu name={name} text={reply.text} />}
          {stoppable && (
            <IconButton
              size="icon-sm"
              label={STRINGS.stopNamed(name)}
              disabled={stop.isPending}
              onClick={() => stop.mutate({ turn, seat: reply.seat })}
            >
              <Square className="size-3! fill-current" />
            </IconButton>
          )}
          {repeatable && (
            <IconButton
              size="icon-sm"
              label={STRINGS.retryNamed(name)}
              disabled={again.isPending}
              onClick={() => again.mutate({ turn, seat: reply.seat })}
            >
              <RotateCcw />
            </IconButton>
          )}
        </div>
      </header>
      <div
        ref={area}
        tabIndex={0}
        role="group"
        aria-label={STRINGS.textOf(name)}
        data-scroll-area
        data-reading
        className="focus-inset max-h-[clamp(220px,100cqh-310px,460px)] max-sm:max-h-[min(460px,60vh)] min-h-24 flex-1 overflow-y-auto rounded-md px-3.5 py-3"
      >
        <div className="[&_.reading]:text-base">
          {look.above}
          <Reasoning reply={reply} running={running} />
          {!(running && reply.reasoning && !reply.text) && (
            <Text reply={shownOf(reply, look.shown)} writing={writing} raw={look.raw} />
          )}
          {reply.error && <Trouble reply={reply} />}
          {!writing && whyCut(reply) && <p className="mt-3 text-sm text-ink-2">{whyCut(reply)}</p>}
          {!running && <CameAbout model={seat?.model} turnId={turn.id} replyId={reply.id} className="mt-4" />}
        </div>
      </div>
      <JumpButton shown={!tail.atEnd && writing} onJump={tail.jump} />
      {(took || reply.attempt > 1) && !writing && (
        <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-1.5">
          {took && <MetricsLine metrics={took} className="gap-x-2.5!" />}
          {reply.attempt > 1 && <Attempts turnId={turn.id} reply={reply} name={name} />}
        </footer>
      )}
      {look.foot}
    </section>
  );
});

const shownOf = (reply: ReplyView, text: string | undefined) =>
  text === undefined ? reply : { ...reply, text };

function Text({ reply, writing, raw }: { reply: ReplyView; writing: boolean; raw: boolean | undefined }) {
  if (raw && reply.text)
    return (
      <pre className="reading m-0 font-mono text-sm! whitespace-pre-wrap [overflow-wrap:anywhere]">
        {reply.text}
      </pre>
    );
  return <ReplyBody reply={reply} running={writing} absent={absence(reply)} />;
}

const absence = (reply: ReplyView): string => {
  if (reply.status === "stopped") return STRINGS.noTextStopped;
  return reply.error ? "" : STRINGS.noText;
};

/** Why a text ends before its end; null where it is whole or an error says so. */
function whyCut({ status, text, error, finish_reason }: ReplyView): string | null {
  if (!text || error) return null;
  if (status === "stopped") return STRINGS.stoppedHere;
  if (finish_reason === "length") return STRINGS.lengthLimit;
  return finish_reason === "content_filter" ? STRINGS.contentFilter : null;
}

function Trouble({ reply }: { reply: ReplyView }) {
  return (
    <div className="mt-2 rounded-md bg-raised px-3 py-2 text-sm">
      <p className="font-medium">{reply.error?.title}</p>
      {reply.error?.detail && <p className="text-ink-2">{reply.error.detail}</p>}
    </div>
  );
}
