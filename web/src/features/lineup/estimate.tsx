/** What the next turn will take, asked from the server: calls, cost, and which models have no price. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useComposer } from "@/features/arena/composer-store";
import type { Choosing } from "@/features/arena/mode-feature";
import { currentLineup, type Lineup } from "@/features/lineup/lineup";
import { historyTokens } from "@/features/lineup/plan";
import { type Quote, quoteQuery } from "@/features/lineup/presets-api";
import { formatCost } from "@/lib/format";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const PAUSE_MS = 500;

export function Estimate({ situation, draft }: { situation: Choosing; draft: string }) {
  const lineup = currentLineup(situation);
  const mode = situation.info?.name;
  return (
    lineup &&
    mode && (
      <Quoted
        mode={mode}
        lineup={lineup}
        draft={draft}
        history={situation.from ? {} : historyTokens(situation, lineup)}
        nameOf={namesOf(situation)}
      />
    )
  );
}

const namesOf =
  ({ models }: Choosing) =>
  (id: string) =>
    models?.find((model) => model.id === id)?.name ?? id;

interface QuotedProps {
  mode: string;
  lineup: Lineup;
  draft: string;
  history: Record<string, number>;
  nameOf: (id: string) => string;
}

function Quoted({ mode, lineup, draft, history, nameOf }: QuotedProps) {
  const prompt = useSettled(draft.trim());
  const { session = "new" } = useParams({ strict: false });
  const files = useComposer((state) => state.attached[session]);
  const attached = files?.reduce((sum, { stored }) => sum + (stored?.tokens ?? 0), 0) ?? 0;
  const { data: quote, isError } = useQuery({
    ...quoteQuery(mode, lineup, { prompt, attached_tokens: attached, history_tokens: history }),
    placeholderData: keepPreviousData,
  });
  if (isError || !quote) return null;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <button
          type="button"
          aria-label={`Estimate: ${callsOf(quote)} · ${shortCostOf(quote)}`}
          className="rounded-xs touch:min-h-11 text-right whitespace-nowrap text-ink-3 underline decoration-line-strong decoration-dotted underline-offset-3 hover:text-ink"
        >
          {callsOf(quote)} · {shortCostOf(quote)}
        </button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        side="top"
        aria-label="Estimate"
        className="w-[min(380px,92vw)] p-4 text-left text-sm"
      >
        <h3 className="font-semibold">Estimate for this turn</h3>
        <dl className="num mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          <dt className="text-ink-3">Calls</dt>
          <dd>{range(String(quote.calls_least), String(quote.calls_most))}</dd>
          <dt className="text-ink-3">Cost</dt>
          <dd>{costOf(quote)}</dd>
          {quote.unpriced.length > 0 && (
            <>
              <dt className="text-ink-3">No price</dt>
              <dd>{quote.unpriced.map(nameOf).join(", ")}</dd>
            </>
          )}
        </dl>
        <ul className="mt-3 list-disc space-y-1 pl-4 text-xs text-ink-2">
          {quote.assumptions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </PopoverContent>
    </Popover>
  );
}

const range = (least: string, most: string) => (least === most ? most : `${least}–${most}`);

const callsOf = ({ calls_least, calls_most }: Quote) =>
  calls_most === 1 ? "1 call" : `${range(String(calls_least), String(calls_most))} calls`;

function costOf({ cost_usd_least: least, cost_usd_most: most, unpriced }: Quote): string {
  if (least === null || most === null) return "no price";
  const cost = range(formatCost(least * 1e6), formatCost(most * 1e6));
  return unpriced.length > 0 ? `${cost} + ${unpriced.length} without price` : cost;
}

/** The same in few signs; a plus stands for the models without a price. */
function shortCostOf(quote: Quote): string {
  const { cost_usd_least: least, cost_usd_most: most, unpriced } = quote;
  if (least === null || most === null || most === 0) return costOf(quote);
  const digits = most < 0.01 ? 4 : most < 1 ? 3 : 2;
  const cost = range(least.toFixed(digits), most.toFixed(digits));
  return `$${cost}${unpriced.length > 0 ? "+" : ""}`;
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
