/** What the arbiter makes of a round: synthesis, confidence, what is disputed and what is still open. */

import { CircleAlert, CircleCheck, CornerDownRight } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { Markdown } from "@/components/markdown/markdown";
import { MetricsLine } from "@/features/arena/metrics-line";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { findArea } from "@/features/consortium/align-text";
import { Beside } from "@/features/consortium/beside";
import { type Painted, usePaint } from "@/features/consortium/paint";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { formatConfidence, formatShare, goesOn, stateOf, whyOf } from "@/features/consortium/words";
import { cn } from "@/lib/cn";
import { Skeleton } from "@/ui/skeleton";

interface ArbiterCardProps {
  view: ConsortiumView;
  iteration: Iteration;
  /** The last word of the turn. */
  final: boolean;
  /** Puts a question into the composer; undefined where it is not the session's end. */
  onAsk: ((question: string) => void) | undefined;
  /** Stands in the head: the export. */
  actions?: React.ReactNode;
}

export function ArbiterCard({ view, iteration, final, onAsk, actions }: ArbiterCardProps) {
  const { judgement } = iteration;
  const { verdict, writing, reply } = judgement;
  const [litArea, setLitArea] = useState<string | null>(null);
  const areas = verdict?.refinement_areas ?? NONE;
  const why = whyOf(iteration, view);
  const Sign = verdict?.settled
    ? CircleCheck
    : why && goesOn(iteration, view)
      ? CornerDownRight
      : CircleAlert;
  return (
    <section
      role="group"
      aria-label={final ? STRINGS.finalSynthesis : STRINGS.synthesisOfRound(iteration.number)}
      data-reading-start={final || undefined}
      className={cn("scroll-mt-4 rounded-lg border bg-surface", final ? "border-line-strong" : "border-line")}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5 pr-2.5 pl-4 sm:pl-5">
        <h3 className={cn("font-semibold", final && "text-md")}>
          {final ? STRINGS.finalSynthesis : STRINGS.synthesis}
        </h3>
        <span className="text-sm text-ink-3">{STRINGS.byArbiter(view.arbiter)}</span>
        <span className="flex-1" />
        <span className="num text-sm text-ink-2">
          {verdict && (
            <>
              {STRINGS.confidenceOf(formatConfidence(verdict.confidence, view.threshold))}
              <span className="text-ink-3 max-sm:hidden">
                {STRINGS.thresholdMark(formatShare(view.threshold))}
              </span>
              <span className="text-ink-3"> · </span>
            </>
          )}
          {stateOf(iteration, view)}
        </span>
        {actions}
        {judgement.synthesis && !writing && (
          <CopyButton text={judgement.synthesis} label={STRINGS.copySynthesis} />
        )}
        {judgement.synthesis && !writing && <ReplyMenu name={view.arbiter} text={judgement.synthesis} />}
      </header>
      {why && (
        <p
          className={cn(
            "num flex items-start gap-2 border-b border-line px-4 py-2 text-sm sm:px-5",
            verdict?.settled ? "text-good" : "text-ink-2",
          )}
        >
          <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {why}
        </p>
      )}
      <div className="grid gap-x-8 gap-y-4 px-4 py-4 sm:px-5 @5xl:grid-cols-[minmax(0,1fr)_minmax(300px,400px)]">
        <div className="flex min-w-0 flex-col gap-4">
          {verdict?.warning && (
            <p role="note" className="rounded-md border border-bad/40 px-3 py-2 text-sm">
              {verdict.warning}
            </p>
          )}
          <Synthesis
            text={judgement.synthesis}
            writing={writing}
            waiting={view.running && !verdict}
            absent={reply?.error?.title ?? STRINGS.noSynthesis}
            final={final}
            areas={areas}
            lit={litArea}
          />
        </div>
        <Beside view={view} iteration={iteration} final={final} onAsk={onAsk} onLight={setLitArea} />
      </div>
      {reply?.metrics && (
        <footer className="border-t border-line px-4 py-2 sm:px-5">
          <MetricsLine metrics={reply.metrics} />
        </footer>
      )}
    </section>
  );
}

const NONE: readonly string[] = [];

interface SynthesisProps {
  text: string;
  writing: boolean;
  waiting: boolean;
  absent: string;
  final: boolean;
  areas: readonly string[];
  lit: string | null;
}

function Synthesis({ text, writing, waiting, absent, final, areas, lit }: SynthesisProps) {
  const root = useRef<HTMLDivElement>(null);
  const find = useCallback(
    (rendered: string): Painted[] =>
      areas.flatMap((area) => findArea(rendered, area).map((each) => ({ ...each, paint: "area" }))),
    [areas],
  );
  const findLit = useMemo(
    () =>
      lit === null
        ? null
        : (rendered: string): Painted[] =>
            findArea(rendered, lit).map((each) => ({ ...each, paint: "area-lit" })),
    [lit],
  );
  usePaint(root, areas.length > 0 ? find : null);
  usePaint(root, findLit);
  if (!text) {
    if (!waiting) return <p className="text-sm text-ink-3">{absent}</p>;
    return (
      <div className="space-y-3 py-1">
        <span className="sr-only">{STRINGS.waitingForTheSynthesis}</span>
        <Skeleton className="h-3.5 w-[70%]" />
        <Skeleton className="h-3.5 w-[62%]" />
        <Skeleton className="h-3.5 w-[38%]" />
      </div>
    );
  }
  return (
    <div ref={root} className={cn(final && "final-synthesis")}>
      <Markdown text={text} writing={writing} />
    </div>
  );
}
