/** What stands beside a synthesis: what is disputed, what is open, how the arbiter came to it, who stands where. */

import { Folded } from "@/components/folded";
import { Markdown } from "@/components/markdown/markdown";
import { Areas } from "@/features/consortium/areas";
import { RankingTable } from "@/features/consortium/ranking-table";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { nameMembers } from "@/features/consortium/words";

interface BesideProps {
  view: ConsortiumView;
  iteration: Iteration;
  final: boolean;
  onAsk: ((question: string) => void) | undefined;
  onLight: (area: string | null) => void;
}

export function Beside({ view, iteration, final, onAsk, onLight }: BesideProps) {
  const { judgement, ranking } = iteration;
  const { verdict, writing } = judgement;
  const areas = verdict?.refinement_areas ?? [];
  const members = iteration.answers.map(({ member }) => member);
  const named = (text: string) => nameMembers(text, verdict?.shown ?? [], members);
  const analysis = [judgement.firstImpression, judgement.analysis].filter(Boolean).join("\n\n");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {judgement.dissent && !writing && (
        <section aria-label={STRINGS.minorityReport} className="border-l-2 border-line-strong pl-3.5">
          <h4 className="mb-1 text-sm font-semibold">{STRINGS.minorityReport}</h4>
          <div className="quiet-text">
            <Markdown text={named(judgement.dissent)} />
          </div>
        </section>
      )}
      {areas.length > 0 && (
        <Areas areas={areas} nameMembers={named} final={final} onAsk={onAsk} onLight={onLight} />
      )}
      <div className="flex flex-col gap-2">
        {analysis && (
          <Folded
            label={
              writing ? (
                <span className="animate-shimmer">
                  {judgement.synthesis ? STRINGS.analysis : STRINGS.arbiterComparing(view.arbiter)}
                </span>
              ) : (
                STRINGS.analysis
              )
            }
          >
            <Markdown text={named(analysis)} writing={writing && judgement.synthesis === ""} />
          </Folded>
        )}
        {ranking && (
          <Folded
            label={STRINGS.ranking}
            unfolded={view.ranks}
            aside={ranking.mean_ranks
              .map(({ seat }) => members.find((member) => member.seat === seat)?.name ?? seat)
              .join(", ")}
          >
            <RankingTable ranking={ranking} members={members} arbiter={view.arbiter} />
          </Folded>
        )}
      </div>
    </div>
  );
}
