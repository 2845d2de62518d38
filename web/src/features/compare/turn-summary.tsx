/** What a turn took in all, and who was fastest and cheapest. */

import { type Contender, factsOf } from "@/features/compare/turn-facts";
import { formatCost, formatCount, formatMs } from "@/lib/format";

export function TurnSummary({ contenders }: { contenders: readonly Contender[] }) {
  const { fastest, cheapest, micros, unpriced, estimated, input, output } = factsOf(contenders);
  if (input + output === 0) return null;
  const about = (figure: string) => (estimated ? `≈ ${figure}` : figure);
  const facts = [
    fastest && { term: "Fastest", text: `${fastest.name}, ${formatMs(fastest.ms)}` },
    cheapest && { term: "Cheapest", text: `${cheapest.name}, ${formatCost(cheapest.micros)}` },
    {
      term: contenders.some(({ reply }) => (reply?.attempt ?? 1) > 1)
        ? "Total without earlier attempts"
        : "Total",
      text: [
        micros !== null && (unpriced ? `at least ${formatCost(micros)}` : about(formatCost(micros))),
        `${about(formatCount(input))} input tokens, ${about(formatCount(output))} output tokens`,
      ]
        .filter(Boolean)
        .join(" · "),
    },
  ].filter((fact) => fact !== null);
  return (
    <dl aria-label="This turn" className="num flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-3">
      {facts.map(({ term, text }) => (
        <div key={term} className="flex gap-1.5">
          <dt>{term}</dt>
          <dd className="text-ink-2">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
