/** One round: the members' answers side by side, then what the arbiter makes of them. */

import { memo, type ReactNode, useMemo, useState } from "react";
import { ArbiterCard } from "@/features/consortium/arbiter-card";
import { HighlightContext, type HighlightedSentence } from "@/features/consortium/highlight";
import { MemberPanel } from "@/features/consortium/member-panel";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { RoundControls } from "@/features/consortium/round-controls";
import { PairsTable, SentencesTable, WordsTable } from "@/features/consortium/tables";
import { useViewOptions } from "@/features/consortium/view-options";
import { WordCloud } from "@/features/consortium/word-cloud";
import { formatConfidence, formatShare, stateOf, whyOf } from "@/features/consortium/words";
import { SeatDot } from "@/features/panels/seat-dot";
import { PANEL_WIDTH, SwipedRow } from "@/features/panels/swiped-row";
import { Round } from "@/features/rounds/round";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";

interface RoundProps {
  turnId: string;
  view: ConsortiumView;
  iteration: Iteration;
  /** Folded to one line until it is opened. */
  past: boolean;
  /** Its synthesis is the turn's last word. */
  final: boolean;
  streamed: boolean;
  onAsk: ((question: string) => void) | undefined;
  actions: ReactNode;
}

export const ConsortiumRound = memo(function ConsortiumRound(props: RoundProps) {
  const { view, iteration, past, final, onAsk, actions } = props;
  const begun = iteration.stage === "judging" || iteration.judgement.reply || iteration.judgement.verdict;
  return (
    <Round
      number={iteration.number}
      line={past ? lineOf(iteration, view) : stateOf(iteration, view)}
      past={past}
      controls={<RoundControls iteration={iteration} />}
      below={(open) =>
        (open ? begun : final) && (
          <ArbiterCard
            view={view}
            iteration={iteration}
            final={final}
            onAsk={onAsk}
            actions={final && actions}
          />
        )
      }
    >
      <Members {...props} />
    </Round>
  );
});

function Members({ turnId, view, iteration, streamed }: RoundProps) {
  const [highlighted, highlight] = useState<HighlightedSentence | null>(null);
  const context = useMemo(() => ({ highlighted, highlight }), [highlighted]);
  const { colored, look, table } = useViewOptions();
  const words = look === "words" ? iteration.words : null;
  const panel = cn("min-w-0", PANEL_WIDTH);
  return (
    <HighlightContext value={context}>
      <SwipedRow members={iteration.answers.map(({ member }) => member)}>
        {iteration.answers.map((said) =>
          words ? (
            <div
              key={said.member.seat}
              role="group"
              aria-label={said.member.name}
              className={cn("rounded-lg border border-line bg-surface px-3.5 py-2.5", panel)}
            >
              <h4 className="mb-1 flex items-center gap-2 text-sm font-semibold [overflow-wrap:anywhere]">
                <SeatDot color={said.member.color} />
                {said.member.name}
              </h4>
              <WordCloud member={said.member} words={words.seats[said.member.seat] ?? []} />
            </div>
          ) : (
            <MemberPanel
              key={said.member.seat}
              turnId={turnId}
              said={said}
              sentences={(colored && iteration.agreement?.sentences[said.member.seat]) || null}
              hidden={!streamed && view.running && !iteration.judgement.verdict}
              running={view.running}
              className={panel}
            />
          ),
        )}
      </SwipedRow>
      {table &&
        (words ? (
          <WordsTable iteration={iteration} />
        ) : (
          iteration.agreement && (
            <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[1fr_auto] *:min-w-0">
              <SentencesTable iteration={iteration} />
              <PairsTable iteration={iteration} />
            </div>
          )
        ))}
    </HighlightContext>
  );
}

/** A round in one line. */
function lineOf(iteration: Iteration, view: ConsortiumView): string {
  const { agreement, judgement } = iteration;
  const areas = judgement.verdict?.refinement_areas.length ?? 0;
  return [
    agreement?.consensus == null ? null : `consensus ${formatShare(agreement.consensus)}`,
    judgement.verdict && `confidence ${formatConfidence(judgement.verdict.confidence, view.threshold)}`,
    areas > 0 && counted(areas, "openPoint"),
    whyOf(iteration, view) ?? stateOf(iteration, view),
  ]
    .filter(Boolean)
    .join(" · ");
}
