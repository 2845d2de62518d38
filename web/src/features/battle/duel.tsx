/** One turn of a battle: the question and two panels, side by side or one to swipe. */

import { ArrowUpDown } from "lucide-react";
import { memo, useMemo, useRef } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { waitingFor } from "@/features/arena/queue-words";
import { TurnPlaceContext, usePictured, useTurnPlace } from "@/features/arena/turn-place";
import { BattlePanel } from "@/features/battle/battle-panel";
import { Headline } from "@/features/battle/headline";
import { isShort } from "@/features/battle/length";
import { PastVoid } from "@/features/battle/past-void";
import { pictureOf } from "@/features/battle/scene";
import { sidesOf, winnerFirst } from "@/features/battle/seats";
import { useSeeing, useUnseen } from "@/features/battle/seen-sides";
import { SideTabs } from "@/features/battle/side-tabs";
import { useSwipedSide } from "@/features/battle/use-swiped-side";
import { PastVerdict } from "@/features/battle/verdict";
import { useSyncScroll } from "@/features/panels/use-sync-scroll";
import { answerIn, stepsOf } from "@/features/tools/steps";
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
  const large = isShort(sidesOf(match).flatMap(({ seat }) => answerIn(stepsOf(turn, seat.name)) ?? []));
  const vote = last && tall ? match.vote : null;
  const prompt = turn.input.type === "prompt" && (
    <PromptBubble {...turn.input} as={!two || !tall ? "bubble" : vote ? "note" : "heading"} />
  );
  // On a phone the question goes up with the text that answers it.
  const slim = !two && tall;
  const shown = two && focused ? sides.filter(({ seat }) => seat.name === focused) : sides;
  const picture = useMemo(() => pictureOf(match, turn, last), [match, turn, last]);
  const place = usePictured(useTurnPlace(number, turn, match), picture);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={`Turn ${number}`}
        className={cn(
          "mx-auto flex w-full max-w-[calc(var(--container-page)+40px)] shrink-0 flex-col px-3 sm:px-5",
          slim ? "gap-2 pt-2 pb-2" : "gap-4 pt-5",
          tall ? "max-h-[max(340px,var(--stage-space,100vh))]" : "pb-2",
          tall && !slim && "pb-4",
          slim && "max-sm:min-h-[min(340px,var(--stage-space,100vh))]",
        )}
      >
        {!slim && (
          <div className="flex shrink-0 items-end gap-3">
            <div className="min-w-0 flex-1">
              {prompt}
              {vote && <Headline match={match} />}
            </div>
            {two && tall && !large && focused === null && match.status !== "void" && (
              <Button
                variant="quiet"
                size="sm"
                className="-mb-1.5 text-ink-3 aria-pressed:text-accent"
                aria-pressed={synced}
                title={synced ? "Both panels scroll together" : "Scroll both panels together"}
                onClick={() => onSync(!synced)}
              >
                <ArrowUpDown aria-hidden="true" />
                Sync scroll
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
            "min-h-0 gap-4",
            two
              ? "grid auto-cols-fr grid-flow-col grid-rows-[minmax(0,1fr)]"
              : "-mx-3 flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain px-3 [scrollbar-width:none]",
            !tall && two && "max-h-[70vh]",
            slim && "flex-1",
          )}
        >
          {shown.map((side) => (
            <BattlePanel
              key={side.seat.id}
              side={side}
              match={match}
              steps={stepsOf(turn, side.seat.name)}
              turn={turn}
              queued={waitingFor(undefined, turn)}
              rated={last ? match.vote?.seats[side.seat.name] : undefined}
              className={cn(!two && "w-full shrink-0 snap-center", !two && !tall && "max-h-[70vh]")}
              large={large}
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
        {last && !tall && match.status === "void" && <PastVoid match={match} turn={turn} />}
      </section>
    </TurnPlaceContext>
  );
});
