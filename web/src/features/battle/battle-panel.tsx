/** One side of a battle: its label, its text, and after the vote who it was and what it took. */

import { Check, Maximize2, Minimize2 } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import type { MatchView, RatedSeat, ReplyView, TurnView } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { JumpButton } from "@/features/arena/jump-button";
import { isWriting, ReplyBody } from "@/features/arena/reply-body";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { Facts, SideName } from "@/features/battle/revealed";
import { absentText, pickOf, type Side } from "@/features/battle/seats";
import { AnswerSteps } from "@/features/tools/lazy-parts";
import { answerIn } from "@/features/tools/steps";
import { cn } from "@/lib/cn";
import { isUnfinished } from "@/turn/reduce-turn";
import { IconButton } from "@/ui/icon-button";

interface BattlePanelProps {
  side: Side;
  match: MatchView;
  turn: TurnView;
  /** All that the side said: one reply, but after the vote also what it said before it called tools. */
  steps: readonly ReplyView[];
  queued: string | undefined;
  /** Set under the last turn once the person has voted. */
  rated: RatedSeat | undefined;
  className?: string;
  /** The answers are short: their letters are larger. */
  large: boolean;
  /** The panels of the session's last turn are landmarks of the page; earlier ones only groups. */
  landmark: boolean;
  /** Stands above the text and scrolls with it, as all that is not text then does. */
  lead: ReactNode;
  focused: boolean;
  onFocus: (() => void) | undefined;
}

export const BattlePanel = memo(function BattlePanel(props: BattlePanelProps) {
  const { side, match, turn, steps, queued, rated, className, large, landmark, lead } = props;
  const reply = answerIn(steps);
  const slim = lead !== undefined;
  const area = useRef<HTMLDivElement>(null);
  const running = isUnfinished(turn.status);
  const growing = running && (!reply || isWriting(reply));
  const tail = useFollowTail(area, { growing, whole: reply?.status === "completed" });
  const preferred = pickOf(match) === side.seat.name;
  const facts = rated && <Facts rated={rated} model={side.seat.model} slim={slim} />;
  const Frame = landmark ? "section" : "div";
  return (
    <Frame
      role={landmark ? undefined : "group"}
      aria-label={side.alias}
      className={cn(
        "relative flex min-h-0 min-w-0 flex-col rounded-lg border bg-surface transition-[border-color,box-shadow] duration-300",
        preferred ? "border-gold-line shadow-[0_0_0_1px_var(--gold-line)]" : "border-line",
        !slim && (running ? "min-h-52" : "min-h-32"),
        className,
      )}
    >
      {!slim && (
        <header
          className={cn("flex shrink-0 items-center gap-1 pr-2.5 pl-5", rated ? "py-3" : "min-h-12 py-1.5")}
        >
          <SideName side={side} large={rated !== undefined} preferred={preferred} />
          <span className="flex-1" />
          <PanelTools {...props} text={running ? undefined : reply?.text} />
        </header>
      )}
      {!slim && facts}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={area}
          tabIndex={0}
          role="group"
          aria-label={`${side.alias}’s answer`}
          data-scroll-area
          data-reading
          className={cn(
            "focus-inset min-h-0 flex-1 overflow-y-auto rounded-md px-5 pb-4",
            large && "reading-large",
            rated || slim ? "pt-4" : "pt-1",
          )}
        >
          <div>
            {slim && (
              <div className="mb-4 flex flex-col gap-3">
                {lead}
                <div className="flex items-center justify-between gap-2">
                  <SideName side={side} large={false} preferred={false} />
                  <span className="flex shrink-0">
                    <PanelTools {...props} onFocus={undefined} text={running ? undefined : reply?.text} />
                  </span>
                </div>
              </div>
            )}
            <ReplyBody reply={reply} running={running} queued={queued} absent={absentText(match)} />
            {turn.tools?.[0] && (
              <div className="mt-5">
                <AnswerSteps turn={turn} steps={steps} />
              </div>
            )}
            <EnsembleRounds model={side.seat.model} turnId={turn.id} replyId={reply?.id} className="mt-5" />
            {slim && facts}
          </div>
        </div>
        <JumpButton shown={!tail.atEnd && growing} onJump={tail.jump} />
      </div>
    </Frame>
  );
});

function PanelTools({
  side,
  match,
  text,
  focused,
  onFocus,
}: BattlePanelProps & { text: string | undefined }) {
  const name = side.seat.model?.name ?? side.alias;
  return (
    <>
      {onFocus && pickOf(match) === side.seat.name && (
        <span className="mr-1.5 inline-flex h-6 shrink-0 animate-fade-in items-center gap-1 rounded-sm bg-gold-line px-2 text-xs font-semibold text-seal">
          <Check aria-hidden="true" className="size-3.5 stroke-[2.6]" />
          <span className="max-xl:sr-only">Your pick</span>
        </span>
      )}
      {text && <CopyButton text={text} label={`Copy ${side.alias}’s answer`} />}
      {text && <ReplyMenu name={name} text={text} />}
      {onFocus && (
        <IconButton
          size="icon-sm"
          aria-pressed={focused}
          label={focused ? "Show both panels" : `Focus ${side.alias}`}
          onClick={onFocus}
        >
          {focused ? <Minimize2 /> : <Maximize2 />}
        </IconButton>
      )}
    </>
  );
}
