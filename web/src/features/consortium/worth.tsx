/** What it takes so far; at the end, whether it was worth it beside the best single member. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useReducer } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { useModes } from "@/features/arena/mode-feature";
import type { ConsortiumView } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import { formatTotal } from "@/features/consortium/words";
import { lineupOfMatch, lineupOfPreset, sameLineup } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";
import { formatMs } from "@/lib/format";

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
    <section
      aria-label={STRINGS.costAndTime}
      className="flex flex-col gap-1.5 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <h3 className="text-sm text-ink-3">{view.running ? STRINGS.soFar : STRINGS.total}</h3>
      <p className="num flex flex-wrap gap-x-3 text-lg leading-tight font-semibold tracking-tight">
        <span className="whitespace-nowrap">{formatTotal(view)}</span>
        <span className="whitespace-nowrap">{formatMs(took)}</span>
      </p>
      {result ? (
        <p className="text-sm text-ink-2">
          {beside(view)}
          {contestant && <Rated model={contestant} against={result.worth.best_single?.model} />}
        </p>
      ) : (
        <p className="num text-sm text-ink-2">
          {view.iterations.length > 0
            ? STRINGS.roundOfMost(view.iterations.length, view.most)
            : STRINGS.askingMembers}
        </p>
      )}
    </section>
  );
}

/** Compared with asking only the member that stood best. */
function beside({ result, members }: ConsortiumView): string {
  const best = result?.worth.best_single;
  if (!result || !best) return STRINGS.worthNoMember;
  const name = members.find((member) => member.seat === best.seat)?.name ?? best.model;
  const { cost_usd: cost, unpriced, duration_ms: took } = result.worth;
  const partial = unpriced?.length ? STRINGS.costOver : "";
  const time = best.duration_ms > 0 ? STRINGS.worthTime(times(took / best.duration_ms)) : null;
  const money =
    cost !== null && best.cost_usd ? STRINGS.worthCost(partial + times(cost / best.cost_usd)) : null;
  const said = [money, time].filter(Boolean).join(STRINGS.and);
  const unknown = money ? "" : STRINGS.costUnknown;
  return said
    ? STRINGS.worthSentence(said.charAt(0).toUpperCase() + said.slice(1), name, unknown)
    : STRINGS.worthNothing;
}

const times = (ratio: number) => `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×`;

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

/** How it does in blind battles: against its best member where there is one, else beside all. */
function Rated({ model, against }: { model: string; against: string | undefined }) {
  const look = "whitespace-nowrap text-ink underline underline-offset-2";
  return (
    <>
      {" "}
      {against ? (
        <Link to="/head-to-head/$a/$b" params={{ a: model, b: against }} className={look}>
          {STRINGS.viewBlindBattles}
        </Link>
      ) : (
        <Link to="/leaderboard/$category" params={{ category: "overall" }} className={look}>
          {STRINGS.viewOnLeaderboard}
        </Link>
      )}
    </>
  );
}

/** The model as which this line-up is met in blind battles, where it was saved as a contestant. */
function useContestant(match: MatchView, wanted: boolean): string | null {
  const { data } = useQuery({ ...presetsQuery(match.mode), enabled: wanted });
  const info = useModes().find((each) => each.info.name === match.mode)?.info;
  if (!info) return null;
  const lineup = lineupOfMatch(info, { match });
  const found = (data ?? []).find(
    (preset) => preset.contestant && sameLineup(info, lineup, lineupOfPreset(preset)),
  );
  return found?.model_id ?? null;
}
