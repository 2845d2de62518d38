/** What a reply took: tabular figures with their units. */

import type { Metrics } from "@/api/types";
import { waitedText } from "@/features/arena/queue-words";
import { cn } from "@/lib/cn";
import { formatCost, formatCount, formatMs, formatRate } from "@/lib/format";

interface Item {
  value: string;
  title: string;
  /** Not shown where it is unknown: an ensemble's answer comes all at once and has no speed, and a short one too. */
  optional?: boolean;
}

export function MetricsLine({ metrics, className }: { metrics: Metrics; className?: string }) {
  const tokens = `${metrics.estimated ? "≈ " : ""}${formatCount(metrics.output_tokens)}`;
  // A picture has no words to count.
  const wordless = metrics.ttft_ms === null && metrics.output_tokens === 0;
  const items: Item[] = [
    {
      value: metrics.answered_by ? `Answered by ${metrics.answered_by}` : "–",
      title: "The model itself did not answer, so its fallback did.",
      optional: true,
    },
    {
      value: metrics.cached ? "Cached" : "–",
      title: "An earlier answer to the same question. It cost nothing.",
      optional: true,
    },
    {
      value: wordless ? "–" : `First word ${formatMs(metrics.ttft_ms)}`,
      title: "Time to first token",
      optional: true,
    },
    { value: formatMs(metrics.duration_ms), title: "Duration" },
    {
      value: waitedText(metrics),
      title:
        "Parley held the question back until the limit of calls at once had room. The other times don’t count it.",
      optional: true,
    },
    {
      value: wordless
        ? "–"
        : metrics.output_tokens === 1
          ? `${tokens} output token`
          : `${tokens} output tokens`,
      optional: true,
      title: metrics.estimated
        ? "Output tokens (estimated: the provider reported no usage)"
        : "Output tokens",
    },
    {
      value: metrics.reasoning_tokens > 0 ? `${formatCount(metrics.reasoning_tokens)} reasoning tokens` : "–",
      title: "Reasoning tokens, part of the output",
      optional: true,
    },
    {
      value:
        wordless && metrics.input_tokens === 0 ? "–" : `${formatCount(metrics.input_tokens)} input tokens`,
      title: "Input tokens",
      optional: true,
    },
    { value: formatRate(metrics.tokens_per_second), title: "Output tokens per second", optional: true },
    {
      value: metrics.cost_micros === null ? "no price" : formatCost(metrics.cost_micros),
      title: metrics.cost_micros === null ? "No price configured for this model" : "Cost",
    },
  ];
  return (
    <ul
      aria-label="Metrics"
      className={cn("num flex flex-wrap gap-x-3.5 gap-y-0.5 text-xs text-ink-3", className)}
    >
      {items
        .filter(({ optional, value }) => !optional || value !== "–")
        .map(({ title, value }) => (
          <li key={title} title={title}>
            {value}
          </li>
        ))}
    </ul>
  );
}
