/** One side of a battle: its label, its text, and after the vote who it was and what it took. */

import { Check, Maximize2, Minimize2 } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import type { MatchView, RatedSeat, ReplyView, TurnStatus } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { CameAbout } from "@/features/arena/came-about";
import { JumpButton } from "@/features/arena/jump-button";
import { isWriting, ReplyBody } from "@/features/arena/reply-body";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { Revealed, RevealedName } from "@/features/battle/revealed";
import { absentText, pickOf, type Side } from "@/features/battle/seats";
import { STRINGS } from "@/features/battle/strings";
import { cn } from "@/lib/cn";
import { isUnfinished } from "@/turn/reduce-turn";
import { IconButton } from "@/ui/icon-button";

interface BattlePanelProps {
  side: Side;
  match: MatchView;
  reply: ReplyView | undefined;
  turnId: string;
  turnStatus: TurnStatus;
  /** Set under the last turn once the person has voted. */
  rated: RatedSeat | undefined;
  className?: string;
  /** The panels of the session's last turn are landmarks of the page; earlier ones only groups. */
  landmark: boolean;
  /** Stands above the text and scrolls with it, as all that is not text then does. */
  lead: ReactNode;
  focused: boolean;
  onFocus: (() => void) | undefined;
}

export const BattlePanel = memo(function BattlePanel(props: BattlePanelProps) {
  const { side, match, reply, turnId, turnStatus, rated, className, landmark, lead, focused, onFocus } =
    props;
  const slim = lead !== undefined;
  const area = useRef<HTMLDivElement>(null);
  const running = isUnfinished(turnStatus);
  const growing = running && (!reply || isWriting(reply));
  const tail = useFollowTail(area, { growing, whole: reply?.status === "completed" });
  const name = side.seat.model?.name ?? side.alias;
  const preferred = pickOf(match) === side.seat.name;
  return (
    <section
      role={landmark ? undefined : "group"}
      aria-label={side.alias}
      className={cn(
        "relative flex min-h-0 min-w-0 flex-col rounded-lg border bg-surface transition-[border-color,box-shadow] duration-300",
        preferred ? "border-gold-line shadow-[0_0_0_1px_var(--gold-line)]" : "border-line",
        className,
      )}
    >
      {!slim && (
        <header className="flex min-h-[46px] items-center gap-2.5 border-b border-line py-1.5 pr-2 pl-4">
          <i aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: side.color }} />
          <RevealedName side={side} />
          <span className="flex-1" />
          {preferred && (
            <span className="inline-flex animate-fade-in items-center gap-1 text-xs font-medium text-gold">
              <Check aria-hidden="true" className="size-4" />
              <span className="max-xl:sr-only">{STRINGS.yourPick}</span>
            </span>
          )}
          {reply?.text && !running && (
            <CopyButton text={reply.text} label={STRINGS.copyAnswerOf(side.alias)} />
          )}
          {reply?.text && !running && <ReplyMenu name={name} text={reply.text} />}
          {onFocus && (
            <IconButton
              size="icon-sm"
              aria-pressed={focused}
              label={focused ? STRINGS.showBoth : STRINGS.focus(side.alias)}
              onClick={onFocus}
            >
              {focused ? <Minimize2 /> : <Maximize2 />}
            </IconButton>
          )}
        </header>
      )}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={area}
          tabIndex={0}
          role="group"
          aria-label={STRINGS.answerOf(side.alias)}
          data-scroll-area
          data-reading
          className="focus-inset min-h-0 flex-1 overflow-y-auto rounded-md px-[18px] py-4"
        >
          <div>
            {slim && (
              <div className="mb-4 flex flex-col gap-3">
                {lead}
                <div className="flex items-center justify-between gap-2">
                  <RevealedName side={side} />
                  {reply?.text && !running && (
                    <span className="flex shrink-0">
                      <CopyButton text={reply.text} label={STRINGS.copyAnswerOf(side.alias)} />
                      <ReplyMenu name={name} text={reply.text} />
                    </span>
                  )}
                </div>
              </div>
            )}
            <ReplyBody reply={reply} running={running} absent={absentText(match)} />
            <CameAbout model={side.seat.model} turnId={turnId} replyId={reply?.id} className="mt-5" />
            {slim && rated && <Revealed rated={rated} model={side.seat.model} className="mt-5 px-0!" />}
          </div>
        </div>
        <JumpButton shown={!tail.atEnd && growing} onJump={tail.jump} />
      </div>
      {!slim && rated && <Revealed rated={rated} model={side.seat.model} />}
    </section>
  );
});
