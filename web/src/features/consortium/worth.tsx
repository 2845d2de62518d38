/** What it takes so far; at the end, whether it was worth it beside the best single member. */

import { useEffect, useReducer } from "react";
import type { MatchView, TurnView } from "@/api/types";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { useContestant } from "@/features/lineup/use-contestant";
import { WorthOf } from "@/features/standings/worth";
import { formatFactor, formatMs, formatSpent } from "@/lib/format";

interface WorthProps {
  view: ConsortiumView;
  match: MatchView;
  turn: TurnView;
}

export function WorthCard({ view, match, turn }: WorthProps) {
  const took = useTook(view, turn);
  const { result } = view;
  const contestant = useContestant(match, result !== null);
  return (
    <div
      role="group"
      aria-label="Cost and time"
      className="flex flex-col gap-1.5 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <h3 className="text-sm text-ink-3">{view.running ? "So far" : "Total"}</h3>
      <p className="num flex flex-wrap gap-x-3 text-lg leading-tight font-semibold tracking-tight">
        <span className="whitespace-nowrap">{formatSpent(view.costMicros, view.unpriced)}</span>
        <span className="whitespace-nowrap">{formatMs(took)}</span>
      </p>
      {result ? (
        <p className="text-sm text-ink-2">
          {beside(view)} {contestant && <WorthOf model={contestant} />}
        </p>
      ) : (
        <p className="num text-sm text-ink-2">
          {view.iterations.length > 0
            ? `Round ${view.iterations.length} of up to ${view.most}`
            : "Asking members"}
        </p>
      )}
    </div>
  );
}

/** Compared with asking only the member that stood best. */
function beside({ result, members }: ConsortiumView): string {
  const best = result?.worth.best_single;
  if (!result || !best) return "No member’s own answer to compare with.";
  const name = members.find((member) => member.seat === best.seat)?.name ?? best.model;
  const { cost_usd: cost, unpriced, duration_ms: took } = result.worth;
  const partial = unpriced?.length ? "at least " : "";
  const time = best.duration_ms > 0 ? `${formatFactor(took / best.duration_ms)} the time` : null;
  const money =
    cost !== null && best.cost_usd ? `${partial + formatFactor(cost / best.cost_usd)} the cost` : null;
  const said = [money, time].filter(Boolean).join(" and ");
  const unknown = money ? "" : " Cost can’t be compared: some models have no price.";
  return said
    ? `${said.charAt(0).toUpperCase() + said.slice(1)} of ${name} alone, the best single member.${unknown}`
    : "Nothing to compare.";
}

/** Counted on while it runs, from when the turn began; a play after that counts what was recorded. */
function useTook(view: ConsortiumView, turn: TurnView): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!view.running) return;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [view.running]);
  if (view.result) return view.result.worth.duration_ms;
  const since = Date.now() - Date.parse(turn.created_at);
  return view.running && turn.play <= 1 ? Math.max(view.tookMs, since) : view.tookMs;
}
