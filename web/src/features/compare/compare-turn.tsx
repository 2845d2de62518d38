/** One turn of a comparison: the question, a panel for each model, what it took, and what is preferred. */

import { useNavigate } from "@tanstack/react-router";
import { Maximize2, MessageCircle, Minimize2 } from "lucide-react";
import { memo, useMemo, useRef } from "react";
import { useMayWrite } from "@/api/permissions";
import type { MatchView, TurnView } from "@/api/types";
import { useComposer } from "@/features/arena/composer-store";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { waitingFor } from "@/features/arena/queue-words";
import { TurnPlaceContext, usePictured, useTurnPlace } from "@/features/arena/turn-place";
import { PreferButton, Preference, usePreferred } from "@/features/compare/preference";
import { pictureOf } from "@/features/compare/scene";
import { type Contender, contendersIn } from "@/features/compare/turn-facts";
import { TurnSummary } from "@/features/compare/turn-summary";
import { ViewBar } from "@/features/compare/view-bar";
import type { ViewOptions } from "@/features/compare/view-options";
import { SeatPanel } from "@/features/panels/seat-panel";
import { PANEL_WIDTH, SwipedRow } from "@/features/panels/swiped-row";
import { useSyncScroll } from "@/features/panels/use-sync-scroll";
import { AnswerSteps, TableCards } from "@/features/tools/lazy-parts";
import { hasTables, stepsOf } from "@/features/tools/steps";
import { cn } from "@/lib/cn";
import { isUnfinished } from "@/turn/reduce-turn";
import { IconButton } from "@/ui/icon-button";

interface CompareTurnProps {
  match: MatchView;
  turn: TurnView;
  /** Its place in the match, from 0. */
  index: number;
  /** Its place in the session, from 1. */
  number: number;
  last: boolean;
  view: ViewOptions;
  onView: (part: Partial<ViewOptions>) => void;
}

export const CompareTurn = memo(function CompareTurn(props: CompareTurnProps) {
  const { match, turn, index, number, last, view, onView } = props;
  const row = useRef<HTMLDivElement>(null);
  const running = isUnfinished(turn.status);
  const all = useMemo(() => contendersIn(match, turn, index), [match, turn, index]);
  const focused = all.find(({ seat }) => seat === view.focused);
  const shown = focused ? [focused] : all;
  useSyncScroll(row, view.synced && !running && !focused);
  const picture = useMemo(() => pictureOf(match, turn, all), [match, turn, all]);
  const place = usePictured(useTurnPlace(number, turn, match), picture);
  const completed = all.filter(({ reply }) => reply?.status === "completed");
  const preferred = usePreferred(match, turn);
  const able = !running && completed.length > 1;
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={`Turn ${number}`}
        className="flex flex-col gap-3 pt-6"
      >
        {turn.input.type === "prompt" && <PromptBubble {...turn.input} />}
        {place.files.some(({ name }) => hasTables(name)) && (
          <TableCards session={turn.session_id} files={place.files.map(({ name }) => name)} />
        )}
        {all.length === 0 && <p className="text-sm text-ink-3">Starting…</p>}
        <div ref={row} className="@container">
          <SwipedRow
            members={shown}
            above={<ViewBar view={view} onView={onView} contenders={completed} running={running} />}
          >
            {shown.map((contender) =>
              contender.reply ? (
                <SeatPanel
                  key={contender.seat}
                  match={match}
                  turn={turn}
                  reply={contender.reply}
                  name={contender.name}
                  preferred={preferred.chosen === contender.seat}
                  last={last}
                  raw={view.raw}
                  above={turn.tools?.[0] && <AnswerSteps turn={turn} steps={stepsOf(turn, contender.seat)} />}
                  className={focused ? "w-full" : PANEL_WIDTH}
                  actions={
                    all.length > 1 && (
                      <IconButton
                        size="icon-sm"
                        aria-pressed={focused !== undefined}
                        label={focused ? "Show all answers" : `Show only ${contender.name}`}
                        onClick={() => onView({ focused: focused ? null : contender.seat })}
                      >
                        {focused ? <Minimize2 /> : <Maximize2 />}
                      </IconButton>
                    )
                  }
                  foot={
                    !running &&
                    contender.reply.status === "completed" && (
                      <Foot match={match} turn={turn} contender={contender}>
                        {able && match.ballot && (
                          <PreferButton name={contender.name} seat={contender.seat} preferred={preferred} />
                        )}
                      </Foot>
                    )
                  }
                />
              ) : (
                running && (
                  <Next key={contender.seat} contender={contender} queued={waitingFor(undefined, turn)} />
                )
              ),
            )}
          </SwipedRow>
        </div>
        {running ? (
          // As high as what takes its place, so that this comes into sight with the last words.
          <p className="flex h-7 touch:h-11 items-center text-sm text-ink-3">
            {match.ballot && "You can choose when all answers are done."}
          </p>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            {match.ballot && completed.length > 1 && (
              <Preference match={match} turnId={turn.id} contenders={all} preferred={preferred} />
            )}
            <TurnSummary contenders={all} />
          </div>
        )}
      </section>
    </TurnPlaceContext>
  );
});

/** A model that is asked once the one before it has ended. */
function Next({ contender, queued }: { contender: Contender; queued: string | undefined }) {
  return (
    <div
      className={cn(
        "flex min-h-34 min-w-0 items-center justify-center rounded-lg border border-dashed border-line-strong p-4 text-center text-sm text-ink-3",
        PANEL_WIDTH,
      )}
    >
      {queued ? `${queued}…` : `${contender.name} answers next`}
    </div>
  );
}

interface FootProps {
  match: MatchView;
  turn: TurnView;
  contender: Contender;
  children: React.ReactNode;
}

/** Prefer this answer, or go on with its model alone. */
function Foot({ match, turn, contender, children }: FootProps) {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const goOn = () => {
    const settings = match.seats.find(({ name }) => name === contender.seat)?.settings ?? null;
    useComposer.getState().setSetup("chat", match.session_id, settings);
    navigate({
      to: "/s/$session",
      params: { session: match.session_id },
      search: { mode: "chat", from: `${turn.id}.${contender.seat}`, model: contender.model },
    });
  };
  return (
    <div className="mt-auto flex items-center gap-1 border-t border-line px-2 py-1.5">
      {children}
      <span className="flex-1" />
      {mayWrite && contender.model && (
        <IconButton size="icon-sm" label={`Continue with ${contender.name}`} onClick={goOn}>
          <MessageCircle />
        </IconButton>
      )}
    </div>
  );
}
