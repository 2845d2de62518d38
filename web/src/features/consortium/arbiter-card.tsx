/** What the arbiter makes of a round: synthesis, confidence, what is disputed and what is still open. */

import { CircleAlert, CircleCheck, CornerDownRight } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { WaitingLines } from "@/features/arena/reply-body";
import { findArea } from "@/features/consortium/align-text";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { SynthesisDetails } from "@/features/consortium/synthesis-details";
import { type TextHighlight, useTextHighlights } from "@/features/consortium/text-highlights";
import { formatConfidence, formatShare, goesOn, stateOf, whyOf } from "@/features/consortium/words";
import { Conclusion, ConclusionWarning } from "@/features/rounds/conclusion";
import { cn } from "@/lib/cn";

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
  const [highlightedArea, setHighlightedArea] = useState<string | null>(null);
  const areas = verdict?.refinement_areas ?? NONE;
  const why = whyOf(iteration, view);
  const Sign = verdict?.settled
    ? CircleCheck
    : why && goesOn(iteration, view)
      ? CornerDownRight
      : CircleAlert;
  return (
    <Conclusion
      round={iteration.number}
      title={final ? "Final synthesis" : "Synthesis"}
      label={final ? "Final synthesis" : `Synthesis of round ${iteration.number}`}
      author={view.arbiter}
      final={final}
      text={judgement.synthesis}
      writing={writing}
      reply={reply}
      state={
        <>
          {verdict && (
            <>
              confidence {formatConfidence(verdict.confidence, view.threshold)}
              <span className="text-ink-3">
                <span className="max-sm:hidden"> (threshold {formatShare(view.threshold)})</span> ·{" "}
              </span>
            </>
          )}
          {stateOf(iteration, view)}
        </>
      }
      actions={actions}
      why={
        why && (
          <p className={cn("num flex items-start gap-2", verdict?.settled && "text-good")}>
            <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {why}
          </p>
        )
      }
    >
      <div className="grid gap-x-8 gap-y-4 @5xl:grid-cols-[minmax(0,1fr)_minmax(300px,400px)]">
        <div className="flex min-w-0 flex-col gap-4">
          <ConclusionWarning text={verdict?.warning} />
          <Synthesis
            text={judgement.synthesis}
            writing={writing}
            waiting={view.running && !verdict}
            absent={reply?.error?.title ?? "No synthesis."}
            final={final}
            areas={areas}
            highlighted={highlightedArea}
          />
        </div>
        <SynthesisDetails
          view={view}
          iteration={iteration}
          final={final}
          onAsk={onAsk}
          onHighlight={setHighlightedArea}
        />
      </div>
    </Conclusion>
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
  highlighted: string | null;
}

function Synthesis({ text, writing, waiting, absent, final, areas, highlighted }: SynthesisProps) {
  const root = useRef<HTMLDivElement>(null);
  const find = useCallback(
    (rendered: string): TextHighlight[] =>
      areas.flatMap((area) => findArea(rendered, area).map((each) => ({ ...each, name: "area" }))),
    [areas],
  );
  const findHighlighted = useMemo(
    () =>
      highlighted === null
        ? null
        : (rendered: string): TextHighlight[] =>
            findArea(rendered, highlighted).map((each) => ({ ...each, name: "area-lit" })),
    [highlighted],
  );
  useTextHighlights(root, areas.length > 0 ? find : null);
  useTextHighlights(root, findHighlighted);
  if (!text) {
    if (!waiting) return <p className="text-sm text-ink-3">{absent}</p>;
    return <WaitingLines label="Waiting for the synthesis" />;
  }
  return (
    <div ref={root} className={cn(final && "final-synthesis")}>
      <Markdown text={text} writing={writing} />
    </div>
  );
}
