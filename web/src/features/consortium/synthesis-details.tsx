/** What stands beside a synthesis: what is disputed, what is open, how the arbiter came to it, who stands where. */

import { Disclosure } from "@/components/disclosure";
import { Markdown } from "@/components/markdown/markdown";
import { OpenQuestions } from "@/features/consortium/open-questions";
import { RankingTable } from "@/features/consortium/ranking-table";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { nameMembers } from "@/features/consortium/words";

interface SynthesisDetailsProps {
  view: ConsortiumView;
  iteration: Iteration;
  final: boolean;
  onAsk: ((question: string) => void) | undefined;
  onHighlight: (area: string | null) => void;
}

export function SynthesisDetails({ view, iteration, final, onAsk, onHighlight }: SynthesisDetailsProps) {
  const { judgement, ranking } = iteration;
  const { verdict, writing } = judgement;
  const areas = verdict?.refinement_areas ?? [];
  const members = iteration.answers.map(({ member }) => member);
  const named = (text: string) => nameMembers(text, verdict?.shown ?? [], members);
  const analysis = [judgement.firstImpression, judgement.analysis].filter(Boolean).join("\n\n");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {judgement.dissent && !writing && (
        <div role="group" aria-label="Minority report" className="border-l-2 border-line-strong pl-3.5">
          <h4 className="mb-1 text-sm font-semibold">Minority report</h4>
          <div className="quiet-text">
            <Markdown text={named(judgement.dissent)} />
          </div>
        </div>
      )}
      {areas.length > 0 && (
        <OpenQuestions
          areas={areas}
          nameMembers={named}
          final={final}
          onAsk={onAsk}
          onHighlight={onHighlight}
        />
      )}
      <div className="flex flex-col gap-2">
        {analysis && (
          <Disclosure
            label={
              writing ? (
                <span className="animate-shimmer">
                  {judgement.synthesis ? "Analysis" : `${view.arbiter} is comparing answers…`}
                </span>
              ) : (
                "Analysis"
              )
            }
          >
            <Markdown text={named(analysis)} writing={writing && judgement.synthesis === ""} />
          </Disclosure>
        )}
        {ranking && (
          <Disclosure
            label="Ranking"
            unfolded={view.ranks}
            aside={ranking.mean_ranks
              .map(({ seat }) => members.find((member) => member.seat === seat)?.name ?? seat)
              .join(", ")}
          >
            <RankingTable ranking={ranking} members={members} arbiter={view.arbiter} />
          </Disclosure>
        )}
      </div>
    </div>
  );
}
