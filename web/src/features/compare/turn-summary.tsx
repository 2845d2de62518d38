/** What a turn took in all, and who was fastest and cheapest. */

import { STRINGS } from "@/features/compare/strings";
import { type Contender, factsOf } from "@/features/compare/turn-facts";
import { formatCost, formatCount, formatMs } from "@/lib/format";

export function TurnSummary({ contenders }: { contenders: readonly Contender[] }) {
  const { fastest, cheapest, micros, unpriced, estimated, input, output } = factsOf(contenders);
  if (input + output === 0) return null;
  const about = (figure: string) => (estimated ? STRINGS.about(figure) : figure);
  const facts = [
    fastest && { term: STRINGS.fastest, text: `${fastest.name}, ${formatMs(fastest.ms)}` },
    cheapest && { term: STRINGS.cheapest, text: `${cheapest.name}, ${formatCost(cheapest.micros)}` },
    {
      term: contenders.some(({ reply }) => (reply?.attempt ?? 1) > 1) ? STRINGS.totalOfNewest : STRINGS.total,
      text: [
        micros !== null && (unpriced ? STRINGS.atLeast(formatCost(micros)) : about(formatCost(micros))),
        STRINGS.inAndOut(about(formatCount(input)), about(formatCount(output))),
      ]
        .filter(Boolean)
        .join(" · "),
    },
  ].filter((fact) => fact !== null);
  return (
    <dl aria-label={STRINGS.summary} className="num flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-3">
      {facts.map(({ term, text }) => (
        <div key={term} className="flex gap-1.5">
          <dt>{term}</dt>
          <dd className="text-ink-2">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
