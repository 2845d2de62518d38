/** One turn of a battle: the prompt and two panels, side by side or one to swipe. */

import { ArrowUpDown } from "lucide-react";
import { memo, useRef } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { TurnPlaceContext, useTurnPlace } from "@/features/arena/turn-place";
import { BattlePanel } from "@/features/battle/battle-panel";
import { PastVerdict } from "@/features/battle/lazy-parts";
import { sidesOf, winnerFirst } from "@/features/battle/seats";
import { useSeeing, useUnseen } from "@/features/battle/seen-sides";
import { SideTabs } from "@/features/battle/side-tabs";
import { STRINGS } from "@/features/battle/strings";
import { useSwipedSide } from "@/features/battle/use-swiped-side";
import { useSyncScroll } from "@/features/panels/use-sync-scroll";
import { cn } from "@/lib/cn";
import { useTwoPanels } from "@/lib/use-media";
import { Button } from "@/ui/button";

interface DuelProps {
  match: MatchView;
  turn: TurnView;
  number: number;
  tall: boolean;
  last: boolean;
  focused: string | null;
  onFocus: (seat: string | null) => void;
  synced: boolean;
  onSync: (on: boolean) => void;
}

export const Duel = memo(function Duel({
  match,
  turn,
  number,
  tall,
  last,
  focused,
  onFocus,
  synced,
  onSync,
}: DuelProps) {
  const row = useRef<HTMLDivElement>(null);
  const two = useTwoPanels();
  useSyncScroll(row, two && synced && focused === null);
  const sides = two ? sidesOf(match) : winnerFirst(match);
  const swiped = useSwipedSide(row, !two, sides[0]?.seat.name);
  useSeeing(turn, sides[swiped.index], !two && last);
  const unseen = useUnseen(match, turn);
  const prompt = turn.input.type === "prompt" && <PromptBubble {...turn.input} />;
  // On a phone the question goes up with the text that answers it.
  const slim = !two && tall;
  const shown = two && focused ? sides.filter(({ seat }) => seat.name === focused) : sides;
  const place = useTurnPlace(number, turn, match);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={STRINGS.turn(number)}
        className={cn(
          "mx-auto flex w-full max-w-[calc(var(--container-page)+40px)] shrink-0 flex-col gap-3.5 px-3 pt-4 sm:px-5",
          tall ? "h-[100cqh] min-h-[340px] pb-3" : "pb-2",
          slim && "gap-2 pt-2 pb-2",
        )}
      >
        {!slim && (
          <div className="flex items-end gap-3">
            {prompt}
            {two && tall && focused === null && match.status !== "void" && (
              <Button
                variant="quiet"
                size="sm"
                className="order-first -mb-1.5 -ml-2.5 text-ink-3 aria-pressed:text-accent"
                aria-pressed={synced}
                title={synced ? STRINGS.syncScrollOn : STRINGS.syncScrollOff}
                onClick={() => onSync(!synced)}
              >
                <ArrowUpDown aria-hidden="true" />
                {STRINGS.syncScroll}
              </Button>
            )}
          </div>
        )}
        {!two && (
          <SideTabs sides={sides} unseen={unseen} match={match} shown={swiped.index} onShow={swiped.show} />
        )}
        <div
          ref={row}
          className={cn(
            "min-h-0 gap-3.5",
            two
              ? "grid auto-cols-fr grid-flow-col"
              : "-mx-3 flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain px-3 [scrollbar-width:none]",
            tall ? "flex-1 grid-rows-[minmax(0,1fr)]" : two && "max-h-[70vh] grid-rows-[minmax(0,1fr)]",
          )}
        >
          {shown.map((side) => (
            <BattlePanel
              key={side.seat.id}
              side={side}
              match={match}
              reply={turn.replies.find((reply) => reply.seat === side.seat.name)}
              turnId={turn.id}
              turnStatus={turn.status}
              rated={last ? match.vote?.seats[side.seat.name] : undefined}
              className={cn(!two && "w-full shrink-0 snap-center", !two && !tall && "max-h-[70vh]")}
              landmark={tall}
              lead={slim ? prompt : undefined}
              focused={focused === side.seat.name}
              onFocus={
                two && tall && match.status !== "void"
                  ? () => onFocus(focused ? null : side.seat.name)
                  : undefined
              }
            />
          ))}
        </div>
        {last && !tall && match.vote && <PastVerdict match={match} vote={match.vote} />}
      </section>
    </TurnPlaceContext>
  );
});
