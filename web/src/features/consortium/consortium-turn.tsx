/** One question to a consortium and all that followed: figures on top, round after round, the last word. */
import { Download, RotateCcw, Table2 } from "lucide-react";
import { memo, useCallback, useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { useComposer } from "@/features/arena/composer-store";
import { Notice } from "@/features/arena/notice";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { useRetry } from "@/features/arena/use-turn-actions";
import { ConfidenceLine } from "@/features/consortium/confidence-line";
import { Lane } from "@/features/consortium/lane";
import { Meter } from "@/features/consortium/meter";
import { type ConsortiumView, readConsortium } from "@/features/consortium/read-consortium";
import { RoundsTable } from "@/features/consortium/tables";
import { useAnnouncedRounds } from "@/features/consortium/use-announced-rounds";
import { WorthCard } from "@/features/consortium/worth";
import { focusComposer } from "@/lib/focus-composer";
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
  const session = match.session_id;
  const ask = useCallback(
    (question: string) => {
      useComposer.getState().setDraft(session, question);
      focusComposer();
    },
    [session],
  );
  useAnnouncedRounds(view, last);
  return (
    <section
      id={`turn-${number}`}
      aria-label={`Turn ${number}`}
      className="@container flex shrink-0 flex-col gap-3.5 px-3 pt-5 sm:px-5"
    >
      {turn.input.type === "prompt" && <PromptBubble text={turn.input.text} />}
      <Figures view={view} match={match} turn={turn} />
      {view.iterations.map((iteration, index) => {
        const newest = index === view.iterations.length - 1;
        return (
          <Lane
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
    </section>
  );
});

function Figures({ view, match, turn }: { view: ConsortiumView; match: MatchView; turn: TurnView }) {
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
              label={table ? "Hide the table" : "Show the figures as table"}
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
}

/** The result as the server announced it, as a file. */
function Export({ turn }: { turn: TurnView }) {
  const note = turn.notes.findLast((each) => each.name === "consortium.result/1");
  if (!note) return null;
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(
      new Blob([JSON.stringify(note.data, null, 2)], { type: "application/json" }),
    );
    link.download = `consortium-${turn.id}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <IconButton size="icon-sm" label="Export the result as JSON" onClick={save}>
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
        <Notice
          title="You stopped the consortium."
          detail="What had come is kept; going on asks only what is missing."
        >
          {again("Go on")}
        </Notice>
      )}
      {turn.status === "failed" && (
        <Notice
          tone="bad"
          alert={last}
          title={turn.error?.title ?? "The consortium could not go on."}
          detail={turn.error?.detail ?? "What had come is kept."}
        >
          {again("Retry")}
        </Notice>
      )}
      {turn.status === "completed" && failed && (
        <Notice
          title="Not every member could answer."
          detail="The consortium went on without. Retry asks only those that failed, and judges again."
        >
          {again("Retry")}
        </Notice>
      )}
    </>
  );
}
