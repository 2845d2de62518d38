/** One question to a consortium and all that followed: figures on top, round after round, the last word. */

import { Download, RotateCcw, Table2 } from "lucide-react";
import { memo, useCallback, useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { Column } from "@/components/column";
import { useComposer } from "@/features/arena/composer-store";
import { Notice } from "@/features/arena/notice";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { TurnPlaceContext, useTurnPlace } from "@/features/arena/turn-place";
import { useTurnOutline } from "@/features/arena/use-outline";
import { useRetry } from "@/features/arena/use-turn-actions";
import { ConfidenceLine } from "@/features/consortium/confidence-line";
import { Meter } from "@/features/consortium/meter";
import { type ConsortiumView, readConsortium } from "@/features/consortium/read-consortium";
import { Round } from "@/features/consortium/round";
import { STRINGS } from "@/features/consortium/strings";
import { RoundsTable } from "@/features/consortium/tables";
import { useAnnouncedRounds } from "@/features/consortium/use-announced-rounds";
import { WorthCard } from "@/features/consortium/worth";
import { focusComposer } from "@/lib/focus-composer";
import { saveFile } from "@/lib/save-file";
import { useStored } from "@/lib/stored";
import { Button } from "@/ui/button";
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
  useAnnouncedRounds(view, last);
  const place = useTurnPlace(number, turn, match);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={STRINGS.turn(number)}
        className="shrink-0 pt-5"
      >
        <Column wide className="@container flex flex-col gap-3.5">
          {turn.input.type === "prompt" && <PromptBubble {...turn.input} />}
          <Figures match={match} turn={still} />
          {view.iterations.map((iteration, index) => {
            const newest = index === view.iterations.length - 1;
            return (
              <Round
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
        </Column>
      </section>
    </TurnPlaceContext>
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
              label={table ? STRINGS.hideFigures : STRINGS.showFigures}
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
  const note = turn.notes.findLast((each) => each.name === "consortium.result/1");
  if (!note) return null;
  const save = () =>
    saveFile(`consortium-${turn.id}.json`, JSON.stringify(note.data, null, 2), "application/json");
  return (
    <IconButton size="icon-sm" label={STRINGS.exportResult} onClick={save}>
      <Download />
    </IconButton>
  );
}

function Ending({ view, turn, last }: { view: ConsortiumView; turn: TurnView; last: boolean }) {
  const retry = useRetry();
  const warnings = view.result?.warnings.filter(
    (warning) => !view.iterations.some(({ judgement }) => judgement.verdict?.warning === warning),
  );
  const failed = view.iterations.some(({ answers }) =>
    answers.some(({ reply }) => reply?.status === "failed" || reply?.status === "incomplete"),
  );
  const again = (label: string) =>
    last && (
      <Button size="sm" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
        <RotateCcw aria-hidden="true" />
        {label}
      </Button>
    );
  if (view.running) return null;
  return (
    <>
      {warnings?.map((warning) => (
        <Notice key={warning} title={warning} />
      ))}
      {turn.status === "stopped" && (
        <Notice title={STRINGS.stopped} detail={STRINGS.answersSaved}>
          {again(STRINGS.resume)}
        </Notice>
      )}
      {turn.status === "failed" && (
        <Notice
          tone="bad"
          alert={last}
          title={turn.error?.title ?? STRINGS.failed}
          detail={turn.error?.detail ?? STRINGS.answersSaved}
        >
          {again(STRINGS.retry)}
        </Notice>
      )}
      {turn.status === "completed" && failed && (
        <Notice title={STRINGS.membersFailed} detail={STRINGS.membersFailedHint}>
          {again(STRINGS.retry)}
        </Notice>
      )}
    </>
  );
}
