/** One question to a consortium and all that followed: figures on top, round after round, the last word. */

import { Download, Table2 } from "lucide-react";
import { memo, useCallback, useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { useComposer } from "@/features/arena/composer-store";
import { Notice } from "@/features/arena/notice";
import { useTurnOutline } from "@/features/arena/use-outline";
import { ConfidenceLine } from "@/features/consortium/confidence-line";
import { Meter } from "@/features/consortium/meter";
import { type ConsortiumView, readConsortium } from "@/features/consortium/read-consortium";
import { ConsortiumRound } from "@/features/consortium/round";
import { pictureOf } from "@/features/consortium/scene";
import { RoundsTable } from "@/features/consortium/tables";
import { announcedOf } from "@/features/consortium/words";
import { WorthCard } from "@/features/consortium/worth";
import { Anchors } from "@/features/rounds/anchors";
import { EndedEarly, RetryTurn } from "@/features/rounds/ending";
import { Turn } from "@/features/rounds/turn";
import { useAnnouncedRounds } from "@/features/rounds/use-announced-rounds";
import { focusComposer } from "@/lib/focus-composer";
import { useStored } from "@/lib/local-storage";
import { saveFile } from "@/lib/save-file";
import { latestNote } from "@/turn/latest-notes";
import { IconButton } from "@/ui/icon-button";

interface ConsortiumTurnProps {
  match: MatchView;
  turn: TurnView;
  number: number;
  /** The session's last turn: the one that goes on. */
  last: boolean;
}

export const ConsortiumTurn = memo(function ConsortiumTurn({
  match,
  turn,
  number,
  last,
}: ConsortiumTurnProps) {
  const view = useMemo(() => readConsortium(match, turn), [match, turn]);
  const still = useTurnOutline(turn);
  const session = match.session_id;
  const ask = useCallback(
    (question: string) => {
      const { drafts, setDraft } = useComposer.getState();
      setDraft(session, [drafts[session], question].filter(Boolean).join("\n"));
      focusComposer();
    },
    [session],
  );
  useAnnouncedRounds(announcedOf(view), last);
  const picture = useMemo(() => pictureOf(match, turn, view), [match, turn, view]);
  return (
    <Anchors question={turn.id}>
      <Turn match={match} turn={turn} number={number} picture={picture}>
        <Figures match={match} turn={still} />
        {view.iterations.map((iteration, index) => {
          const newest = index === view.iterations.length - 1;
          return (
            <ConsortiumRound
              turnId={turn.id}
              key={iteration.number}
              view={view}
              iteration={iteration}
              past={!newest || !last}
              final={newest && !view.running && iteration.judgement.verdict !== null}
              streamed={match.brief.stream_individual_responses !== false}
              onAsk={last && !view.running ? ask : undefined}
              actions={<Export turn={turn} />}
            />
          );
        })}
        <Ending view={view} turn={turn} last={last} />
      </Turn>
    </Anchors>
  );
});

const Figures = memo(function Figures({ match, turn }: { match: MatchView; turn: TurnView }) {
  const view = useMemo(() => readConsortium(match, turn), [match, turn]);
  const [table, setTable] = useStored("consortium-rounds-table", false);
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-3 *:min-w-0 @md:grid-cols-2 @4xl:grid-cols-[minmax(210px,0.8fr)_minmax(0,2fr)_minmax(230px,1fr)] [&>:nth-child(2)]:order-last [&>:nth-child(2)]:@md:col-span-2 [&>:nth-child(2)]:@4xl:order-none [&>:nth-child(2)]:@4xl:col-span-1">
        <Meter view={view} />
        <ConfidenceLine
          view={view}
          aside={
            <IconButton
              size="icon-sm"
              className="-mt-1.5 -mr-2 aria-pressed:text-accent"
              aria-pressed={table}
              label={table ? "Hide figures table" : "Show figures as table"}
              onClick={() => setTable(!table)}
            >
              <Table2 />
            </IconButton>
          }
        />
        <WorthCard view={view} match={match} turn={turn} />
      </div>
      {table && <RoundsTable view={view} />}
    </div>
  );
});

/** The result as the server announced it, as a file. */
function Export({ turn }: { turn: TurnView }) {
  const note = latestNote(turn.notes, "consortium.result/1");
  if (!note) return null;
  const save = () =>
    saveFile(`consortium-${turn.id}.json`, JSON.stringify(note.data, null, 2), "application/json");
  return (
    <IconButton size="icon-sm" label="Export result as JSON" onClick={save}>
      <Download />
    </IconButton>
  );
}

function Ending({ view, turn, last }: { view: ConsortiumView; turn: TurnView; last: boolean }) {
  const warnings = view.result?.warnings.filter(
    (warning) => !view.iterations.some(({ judgement }) => judgement.verdict?.warning === warning),
  );
  const failed = view.iterations.some(({ answers }) =>
    answers.some(({ reply }) => reply?.status === "failed" || reply?.status === "incomplete"),
  );
  if (view.running) return null;
  return (
    <>
      {warnings?.map((warning) => (
        <Notice key={warning} title={warning} />
      ))}
      <EndedEarly
        turn={turn}
        stopped="Consortium stopped."
        failed="The consortium failed."
        saved="Finished answers are saved."
        alert={last}
      >
        {last && <RetryTurn turn={turn} label={turn.status === "stopped" ? "Resume" : "Retry"} />}
      </EndedEarly>
      {turn.status === "completed" && failed && (
        <Notice
          title="Some members failed to answer."
          detail="The consortium continued without them. Retry asks only the failed members and judges again."
        >
          {last && <RetryTurn turn={turn} />}
        </Notice>
      )}
    </>
  );
}
