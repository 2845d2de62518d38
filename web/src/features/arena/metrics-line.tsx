/** What a reply took: tabular figures with their units. */

import type { Metrics } from "@/api/types";
import { STRINGS } from "@/features/arena/strings";
import { cn } from "@/lib/cn";
import { formatCost, formatCount, formatMs, formatRate } from "@/lib/format";

export function MetricsLine({ metrics, className }: { metrics: Metrics; className?: string }) {
  const tokens = `${metrics.estimated ? "≈ " : ""}${formatCount(metrics.output_tokens)}`;
  const items = [
    {
      name: "",
      value: metrics.answered_by ? STRINGS.answeredBy(metrics.answered_by) : "–",
      title: STRINGS.answeredByHint,
    },
    { name: "", value: metrics.cached ? STRINGS.cached : "–", title: STRINGS.cachedHint },
    { name: STRINGS.ttft, value: formatMs(metrics.ttft_ms), title: STRINGS.ttftHint },
    { name: "", value: formatMs(metrics.duration_ms), title: STRINGS.duration },
    {
      name: "",
      value: metrics.output_tokens === 1 ? STRINGS.oneToken(tokens) : STRINGS.manyTokens(tokens),
      title: metrics.estimated ? STRINGS.outputTokensEstimated : STRINGS.outputTokens,
    },
    {
      name: "",
      value:
        metrics.reasoning_tokens > 0 ? STRINGS.ofThemReasoning(formatCount(metrics.reasoning_tokens)) : "–",
      title: STRINGS.reasoningTokens,
    },
    { name: "", value: STRINGS.tokensIn(formatCount(metrics.input_tokens)), title: STRINGS.inputTokens },
    { name: "", value: formatRate(metrics.tokens_per_second), title: STRINGS.speed },
    {
      name: "",
      value: metrics.cost_micros === null ? STRINGS.noPrice : formatCost(metrics.cost_micros),
      title: metrics.cost_micros === null ? STRINGS.noPriceHint : STRINGS.cost,
    },
  ];
  return (
    <ul
      aria-label={STRINGS.metrics}
      className={cn("num flex flex-wrap gap-x-3.5 gap-y-0.5 text-xs text-ink-3", className)}
    >
      {items.filter(isShown).map((item) => (
        <li key={item.title} title={item.title}>
          {item.name && `${item.name} `}
          {item.value}
        </li>
      ))}
    </ul>
  );
}

const OPTIONAL: readonly string[] = [
  STRINGS.speed,
  STRINGS.reasoningTokens,
  STRINGS.cachedHint,
  STRINGS.answeredByHint,
];

/** An ensemble's answer comes all at once and has no speed, and a short one too: then nothing is said of it. */
const isShown = ({ title, value }: { title: string; value: string }) =>
  !OPTIONAL.includes(title) || value !== "–";
