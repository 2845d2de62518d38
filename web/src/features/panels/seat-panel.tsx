/** What one seat said in one round: who it is, the text, what it took, and what can be done with it. */

import { Check, RotateCcw, Square } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { MatchView, ReplyView, TurnView } from "@/api/types";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { seatLabel } from "@/features/arena/input-chip";
import { MetricsLine } from "@/features/arena/metrics-line";
import { Reasoning } from "@/features/arena/reasoning";
import { hasBody, isWriting, ReplyBody } from "@/features/arena/reply-body";
import { useRetrySeat, useStopSeat } from "@/features/arena/use-turn-actions";
import { seatColor } from "@/features/lineup/seat-colors";
import { Attempts } from "@/features/panels/attempts";
import { ReplyPanel } from "@/features/panels/reply-panel";
import { ReplyProblem } from "@/features/panels/reply-problem";
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
  heading?: "h2" | "h4";
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
  const index = match.seats.findIndex(({ name }) => name === reply.seat);
  const seat = match.seats[index];
  const running = isUnfinished(turn.status);
  const writing = running && isWriting(reply);
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
    <ReplyPanel
      label={reply.round > 0 ? `${name}, round ${reply.round}` : name}
      name={name}
      color={seatColor(Math.max(0, index))}
      about={about}
      title={seat?.model?.id}
      mark={
        preferred && (
          <p className="flex items-center gap-1 text-xs leading-tight font-medium text-gold">
            <Check aria-hidden="true" className="size-3" />
            Your pick
          </p>
        )
      }
      text={reply.text}
      replyId={reply.status === "completed" && !match.blind ? reply.id : undefined}
      writing={writing}
      whole={reply.status === "completed"}
      before={look.actions}
      after={
        <>
          {stoppable && (
            <IconButton
              size="icon-sm"
              label={`Stop ${name}`}
              disabled={stop.isPending}
              onClick={() => stop.mutate({ turn, seat: reply.seat })}
            >
              <Square className="size-3! fill-current" />
            </IconButton>
          )}
          {repeatable && (
            <IconButton
              size="icon-sm"
              label={`Retry ${name}`}
              disabled={again.isPending}
              onClick={() => again.mutate({ turn, seat: reply.seat })}
            >
              <RotateCcw />
            </IconButton>
          )}
        </>
      }
      footer={
        (took || reply.attempt > 1) &&
        !writing && (
          <>
            {took && <MetricsLine metrics={took} className="gap-x-2.5!" />}
            {reply.attempt > 1 && <Attempts turnId={turn.id} reply={reply} name={name} />}
          </>
        )
      }
      foot={look.foot}
      {...(look.heading && { heading: look.heading })}
      line={preferred ? "border-gold-line shadow-[0_0_0_1px_var(--gold-line)]" : "border-line"}
      className={look.className}
    >
      <div className="[&_.reading]:text-base">
        {look.above}
        <Reasoning reply={reply} running={running} />
        {!(running && reply.reasoning && !hasBody(reply)) && (
          <Text reply={shownOf(reply, look.shown)} writing={writing} raw={look.raw} />
        )}
        {reply.error && (
          <ReplyProblem title={reply.error.title} detail={reply.error.detail} className="mt-2" />
        )}
        {!writing && whyCut(reply) && <p className="mt-3 text-sm text-ink-2">{whyCut(reply)}</p>}
        {!running && (
          <EnsembleRounds model={seat?.model} turnId={turn.id} replyId={reply.id} className="mt-4" />
        )}
      </div>
    </ReplyPanel>
  );
});

const shownOf = (reply: ReplyView, text: string | undefined) =>
  text === undefined ? reply : { ...reply, text };

function Text({ reply, writing, raw }: { reply: ReplyView; writing: boolean; raw: boolean | undefined }) {
  if (raw && reply.text && !reply.parts?.length)
    return (
      <pre className="reading m-0 font-mono text-sm! whitespace-pre-wrap [overflow-wrap:anywhere]">
        {reply.text}
      </pre>
    );
  return <ReplyBody reply={reply} running={writing} absent={absence(reply)} />;
}

const absence = (reply: ReplyView): string => {
  if (reply.status === "stopped") return "Stopped before any text.";
  return reply.error ? "" : "No text.";
};

/** Why a text ends before its end; null where it is whole or an error says so. */
function whyCut({ status, text, error, finish_reason }: ReplyView): string | null {
  if (!text || error) return null;
  if (status === "stopped") return "Stopped here. The model won’t see this unfinished answer when you go on.";
  if (finish_reason === "length") return "This answer reached its length limit.";
  return finish_reason === "content_filter" ? "The provider’s content filter stopped this answer." : null;
}
