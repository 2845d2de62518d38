/** One round: the members' answers side by side, then what the arbiter makes of them. */

import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, useMemo, useState } from "react";
import { ArbiterCard } from "@/features/consortium/arbiter-card";
import { type Lit, LitContext, useSharedLooks } from "@/features/consortium/lit";
import { MemberPanel } from "@/features/consortium/member-panel";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { RoundControls } from "@/features/consortium/round-controls";
import { STRINGS } from "@/features/consortium/strings";
import { PairsTable, SentencesTable, WordsTable } from "@/features/consortium/tables";
import { WordCloud } from "@/features/consortium/word-cloud";
import { formatConfidence, formatShare, stateOf, whyOf } from "@/features/consortium/words";
import { PANEL_WIDTH, SwipedRow } from "@/features/panels/swiped-row";
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

export const Round = memo(function Round(props: RoundProps) {
  const { view, iteration, past, final, onAsk, actions } = props;
  const [opened, setOpened] = useState(false);
  const open = !past || opened;
  const begun = iteration.stage === "judging" || iteration.judgement.reply || iteration.judgement.verdict;
  return (
    <section aria-label={STRINGS.round(iteration.number)} className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
        {past ? (
          <button
            type="button"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
            className="focus-inset flex min-w-0 touch:min-h-11 grow basis-72 items-center gap-2 rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 hover:border-line-strong hover:text-ink"
          >
            <ChevronRight
              aria-hidden="true"
              className={cn("size-4 shrink-0 transition-transform", opened && "rotate-90")}
            />
            <span className="shrink-0 font-medium text-ink">{STRINGS.round(iteration.number)}</span>
            <span className="num min-w-0">{lineOf(iteration, view)}</span>
          </button>
        ) : (
          <h3 className="text-sm">
            <span className="font-semibold">{STRINGS.round(iteration.number)}</span>
            <span className="text-ink-3"> · {stateOf(iteration, view)}</span>
          </h3>
        )}
        {open && (
          <>
            {!past && <span className="flex-1" />}
            <RoundControls iteration={iteration} />
          </>
        )}
      </div>
      {open && <Members {...props} />}
      {(open ? begun : final) && (
        <ArbiterCard
          view={view}
          iteration={iteration}
          final={final}
          onAsk={onAsk}
          actions={final && actions}
        />
      )}
    </section>
  );
});

function Members({ turnId, view, iteration, streamed }: RoundProps) {
  const [lit, light] = useState<Lit | null>(null);
  const context = useMemo(() => ({ lit, light }), [lit]);
  const { colored, look, table } = useSharedLooks();
  const words = look === "words" ? iteration.words : null;
  const panel = cn("min-w-0", PANEL_WIDTH);
  return (
    <LitContext value={context}>
      <SwipedRow members={iteration.answers.map(({ member }) => member)}>
        {iteration.answers.map((said) =>
          words ? (
            <section
              key={said.member.seat}
              role="group"
              aria-label={said.member.name}
              className={cn("rounded-lg border border-line bg-surface px-3.5 py-2.5", panel)}
            >
              <h4 className="mb-1 flex items-center gap-2 text-sm font-semibold [overflow-wrap:anywhere]">
                <i
                  aria-hidden="true"
                  className="size-2 rounded-full"
                  style={{ background: said.member.color }}
                />
                {said.member.name}
              </h4>
              <WordCloud member={said.member} words={words.seats[said.member.seat] ?? []} />
            </section>
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
    </LitContext>
  );
}

/** A round in one line. */
function lineOf(iteration: Iteration, view: ConsortiumView): string {
  const { agreement, judgement } = iteration;
  const areas = judgement.verdict?.refinement_areas.length ?? 0;
  return [
    agreement?.consensus == null ? null : STRINGS.consensusOf(formatShare(agreement.consensus)),
    judgement.verdict && STRINGS.confidenceOf(formatConfidence(judgement.verdict.confidence, view.threshold)),
    areas > 0 && counted(areas, "openPoint"),
    whyOf(iteration, view) ?? stateOf(iteration, view),
  ]
    .filter(Boolean)
    .join(" · ");
}
