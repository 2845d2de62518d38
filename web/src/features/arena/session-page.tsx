/** A session: its matches from above, the active one's dock, and the composer. */

import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { sessionQuery } from "@/api/queries";
import type { MatchRecord, SessionView } from "@/api/types";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Boundary } from "@/components/boundary";
import { Column } from "@/components/column";
import { lazyExtra, lazyPart } from "@/components/lazy-part";
import { PartFailed } from "@/components/part-failed";
import { ArenaComposer } from "@/features/arena/arena-composer";
import { ArenaHeader } from "@/features/arena/arena-header";
import { JumpButton } from "@/features/arena/jump-button";
import {
  type ContinueFrom,
  isRunning,
  lastTurn,
  NO_MATCHES,
  useFeature,
} from "@/features/arena/mode-feature";
import { showReadingStart } from "@/features/arena/reading-start";
import { Reconnecting } from "@/features/arena/reconnecting";
import { SessionProblem, SessionSkeleton } from "@/features/arena/session-states";
import { BranchingContext } from "@/features/arena/turn-place";
import { useAnnouncedTurn } from "@/features/arena/use-announced-turn";
import { useFollowTail } from "@/features/arena/use-follow-tail";
import { useOpeningPlace } from "@/features/arena/use-opening-place";
import { useOutlines } from "@/features/arena/use-outline";
import { useShownPath } from "@/features/arena/use-shown-path";
import { useStageSpace } from "@/features/arena/use-stage-space";
import { cn } from "@/lib/cn";
import { useTitle } from "@/lib/use-title";
import { useLiveSession } from "@/turn/turns-context";
import { useSessionEvents } from "@/turn/use-session-events";

const SealedPage = lazyPart(() =>
  import("@/features/arena/seal/sealed-page").then((part) => part.SealedPage),
);
const SearchHighlights = lazyExtra(() =>
  import("@/features/arena/search-highlights").then((part) => part.SearchHighlights),
);

export function SessionPage() {
  const { session: sessionId } = useParams({ from: "/s/$session" });
  const { mode, model, from } = useSearch({ from: "/s/$session" });
  const query = useQuery(sessionQuery(sessionId));
  const { view: whole, reconnecting } = useLiveSession(query.data);
  const { view, branching } = useShownPath(sessionId, whole);
  useSessionEvents(sessionId);
  // Browsers keep the titles of what was opened.
  useTitle(view?.session.sealed ? "Sealed session" : (view?.session.title ?? "Session"));
  const navigate = useNavigate();
  const retry = useRetryFailed();
  const active = view?.matches.at(-1) ?? null;
  const shownMode = mode ?? active?.match.mode ?? view?.session.mode ?? "battle";
  const feature = useFeature(shownMode);
  const setMode = useCallback(
    (next: string) =>
      navigate({ to: "/s/$session", params: { session: sessionId }, search: { mode: next }, replace: true }),
    [navigate, sessionId],
  );
  const outlines = useOutlines(view?.matches ?? NO_MATCHES);
  const start = useMemo(() => parseFrom(from), [from]);
  const leave = useCallback(() => setMode(shownMode), [setMode, shownMode]);
  const { announces, follows } = useFeature(active?.match.mode ?? shownMode);
  const staged = view !== null && view !== undefined && follows === "panels";
  const stage = useStageSpace();
  useAnnouncedTurn(announces ? null : active);

  if (query.isError && asApiError(query.error).code === "session_sealed")
    return <SealedPage sessionId={sessionId} />;
  if (query.isError && !view) return <SessionProblem error={query.error} onRetry={retry} />;
  return (
    <>
      <ArenaHeader
        mode={shownMode}
        onMode={setMode}
        hint={active?.match.blind ? feature.hint : undefined}
        sessionId={sessionId}
      />
      <div
        ref={stage}
        className={cn("flex min-h-0 flex-1 flex-col", staged && "justify-center-safe")}
        data-stage={staged || undefined}
      >
        <BranchingContext value={branching}>
          {view ? <Matches key={sessionId} view={view} staged={staged} /> : <SessionSkeleton />}
        </BranchingContext>
        <div
          className={cn(
            "flex shrink-0 flex-col gap-3 max-sm:gap-2",
            staged && "max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:pt-2",
          )}
        >
          <Column wide className="flex flex-col gap-3">
            <Reconnecting shown={reconnecting} />
            {active && shownMode === active.match.mode && <Dock record={active} />}
          </Column>
          {view && (
            <Column wide={staged}>
              <ArenaComposer
                sessionId={sessionId}
                feature={feature}
                matches={outlines}
                wantedModel={model}
                from={start}
                onLeave={leave}
              />
            </Column>
          )}
        </div>
      </div>
    </>
  );
}

function Dock({ record }: { record: MatchRecord }) {
  const feature = useFeature(record.match.mode);
  const mayWrite = useMayWrite();
  // Before a vote it has nothing but what a viewer may not do.
  if (!mayWrite && !record.match.vote) return null;
  return (
    <Boundary key={record.match.id} fallback={(failure) => <PartFailed {...failure} />}>
      <feature.Dock record={record} />
    </Boundary>
  );
}

interface MatchesProps {
  view: SessionView;
  /** As high as what it shows, up to what room there is; else as high as the room. */
  staged: boolean;
}

function Matches({ view, staged }: MatchesProps) {
  const area = useRef<HTMLDivElement>(null);
  const active = view.matches.at(-1) ?? null;
  const { follows } = useFeature(active?.match.mode ?? view.session.mode);
  const last = lastTurn(active);
  const tail = useFollowTail(area, {
    growing: follows === "page" && isRunning(active),
    whole: last?.status === "completed",
    showStart: showReadingStart,
  });
  const firstTurns = useMemo(() => countTurns(view.matches), [view.matches]);
  const found = useLocation({ select: (location) => location.state.found });
  useOpeningPlace(area, last?.id, isRunning(active));
  return (
    <div className={cn("relative flex min-h-0 flex-col", staged ? "max-sm:flex-1 sm:shrink" : "flex-1")}>
      <h1 className="sr-only">{view.session.title}</h1>
      <div
        ref={area}
        className={cn("min-h-0 flex-1 overflow-y-auto overscroll-contain", !staged && "@container-size")}
      >
        <div className={cn("flex min-h-full flex-col", !staged && "*:last:pb-4")}>
          {view.matches.map((record, index) => (
            <Boundary key={record.match.id} fallback={(failure) => <PartFailed {...failure} />}>
              <Match record={record} active={record === active} firstTurn={firstTurns[index] ?? 1} />
            </Boundary>
          ))}
        </div>
      </div>
      {found && <SearchHighlights area={area} words={found} />}
      <JumpButton shown={follows === "page" && !tail.atEnd && isRunning(active)} onJump={tail.jump} />
    </div>
  );
}

function Match(props: { record: MatchRecord; active: boolean; firstTurn: number }) {
  const feature = useFeature(props.record.match.mode);
  return <feature.Match {...props} />;
}

/** The number of each match's first turn, counted through the session. */
function countTurns(matches: readonly MatchRecord[]): number[] {
  let next = 1;
  return matches.map(({ turns }) => {
    const first = next;
    next += turns.length;
    return first;
  });
}

function parseFrom(from: string | undefined): ContinueFrom | null {
  const [turn_id, seat] = from?.split(".") ?? [];
  return turn_id && seat ? { turn_id, seat } : null;
}
