/** What a reply took: tabular figures with their units. */
import type { Metrics } from "@/api/types";
import { cn } from "@/lib/cn";
import { formatCost, formatCount, formatMs, formatRate } from "@/lib/format";

export function MetricsLine({ metrics, className }: { metrics: Metrics; className?: string }) {
  const tokens = `${metrics.estimated ? "≈ " : ""}${formatCount(metrics.output_tokens)}`;
  const items = [
    { name: "TTFT", value: formatMs(metrics.ttft_ms), title: "Time to first token" },
    { name: "", value: formatMs(metrics.duration_ms), title: "Duration" },
    {
      name: "",
      value: `${tokens} ${metrics.output_tokens === 1 ? "token" : "tokens"}`,
      title: metrics.estimated
        ? "Output tokens (estimated: the provider reported no usage)"
        : "Output tokens",
    },
    { name: "", value: formatRate(metrics.tokens_per_second), title: "Output tokens per second" },
    {
      name: "",
      value: metrics.cost_micros === null ? "no price" : formatCost(metrics.cost_micros),
      title: metrics.cost_micros === null ? "No price configured for this model" : "Cost",
    },
  ];
  return (
    <ul
      aria-label="Metrics"
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

/** An ensemble's answer comes all at once and has no speed, and a short one too: then nothing is said of it. */
const isShown = ({ title, value }: { title: string; value: string }) =>
  title !== "Output tokens per second" || value !== "–";
