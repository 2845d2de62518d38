/** One prompt and its answer. */

import { RotateCcw } from "lucide-react";
import { memo, useMemo } from "react";
import type { ReplyView, SeatView, TurnView } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { CameAbout } from "@/features/arena/came-about";
import { MetricsLine } from "@/features/arena/metrics-line";
import { Notice } from "@/features/arena/notice";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { Reasoning } from "@/features/arena/reasoning";
import { ReplyBody } from "@/features/arena/reply-body";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { TurnPlaceContext, turnPlace } from "@/features/arena/turn-place";
import { useRetry, useRetrySeat } from "@/features/arena/use-turn-actions";
import { STRINGS } from "@/features/chat/strings";
import { isUnfinished } from "@/turn/reduce-turn";
import { Button } from "@/ui/button";

interface ChatTurnProps {
  turn: TurnView;
  seat: SeatView | undefined;
  number: number;
  last: boolean;
  /** The match goes on: its last answer can be written anew. */
  open: boolean;
}

export const ChatTurn = memo(function ChatTurn({ turn, seat, number, last, open }: ChatTurnProps) {
  const reply = turn.replies.find((each) => each.seat === seat?.name);
  const running = isUnfinished(turn.status);
  const name = seat?.model?.name ?? seat?.label ?? STRINGS.assistant;
  const place = useMemo(() => turnPlace(number, turn), [number, turn]);
  const again = useRetrySeat();
  const regenerate = last && open && seat ? () => again.mutate({ turn, seat: seat.name }) : undefined;
  return (
    <TurnPlaceContext value={place}>
      <section id={`turn-${number}`} aria-label={STRINGS.turn(number)} className="flex flex-col gap-5 pt-6">
        {turn.input.type === "prompt" && <PromptBubble {...turn.input} />}
        <article aria-label={STRINGS.answerOf(name)} className="min-w-0">
          <h3 className="mb-2 flex items-center gap-2 text-sm font-semibold" title={seat?.model?.id}>
            <i aria-hidden="true" className="size-2 rounded-full bg-ink-3" />
            {name}
            {seat?.model && <span className="font-normal text-ink-3">{seat.model.organization}</span>}
          </h3>
          {reply && <Reasoning reply={reply} running={running} />}
          {(reply?.text || running || !problemOf(turn, reply)) &&
            !(running && reply?.reasoning && !reply.text) && <ReplyBody reply={reply} running={running} />}
          {!running && (
            <CameAbout model={seat?.model} turnId={turn.id} replyId={reply?.id} className="mt-4" />
          )}
          {!running && (
            <footer className="mt-2 -ml-1.5 flex items-center gap-x-2.5">
              {reply?.text && <CopyButton text={reply.text} label={STRINGS.copyAnswer} />}
              {reply?.text && <ReplyMenu name={name} text={reply.text} onRegenerate={regenerate} />}
              {reply?.metrics && (reply.text || reply.reasoning) && <MetricsLine metrics={reply.metrics} />}
            </footer>
          )}
          <Ending turn={turn} reply={reply} last={last} />
        </article>
      </section>
    </TurnPlaceContext>
  );
});

interface Problem {
  title: string;
  detail: string | null;
  bad: boolean;
}

/** What went wrong with an answer, in plain words; null where it is whole. */
function problemOf(turn: TurnView, reply: ReplyView | undefined): Problem | null {
  const error = reply?.error ?? turn.error;
  if (isUnfinished(turn.status)) return null;
  if (reply?.status === "failed" || turn.status === "failed") {
    return {
      title: error?.title ?? STRINGS.failed,
      detail: error?.detail ?? STRINGS.textSaved,
      bad: true,
    };
  }
  if (reply?.status === "incomplete") {
    return {
      title: error?.title ?? STRINGS.incomplete,
      detail: error?.detail ?? STRINGS.textSaved,
      bad: true,
    };
  }
  if (reply?.status === "stopped" || turn.status === "stopped") {
    return { title: STRINGS.stopped, detail: null, bad: false };
  }
  if (reply?.finish_reason === "length") {
    return { title: STRINGS.lengthLimit, detail: null, bad: false };
  }
  if (reply?.finish_reason === "content_filter") {
    return { title: STRINGS.contentFilter, detail: null, bad: false };
  }
  return null;
}

function Ending({ turn, reply, last }: { turn: TurnView; reply: ReplyView | undefined; last: boolean }) {
  const retry = useRetry();
  const problem = problemOf(turn, reply);
  if (!problem) return null;
  const retriable = last && reply?.status !== "completed";
  return (
    <div className="mt-3">
      <Notice
        title={problem.title}
        detail={problem.detail}
        tone={problem.bad ? "bad" : "plain"}
        alert={problem.bad && last}
      >
        {retriable && (
          <Button size="sm" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
            <RotateCcw aria-hidden="true" />
            {STRINGS.retry}
          </Button>
        )}
      </Notice>
    </div>
  );
}
