/** The win-rate matrix: how each model did against each other one, as a heat map that the keyboard can walk. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import { matrixQuery } from "@/api/standings";
import type { PairCell } from "@/api/standings-types";
import { HeatMap } from "@/features/leaderboard/heat-map";
import { counted, formatPercent } from "@/lib/format";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

/** More columns than this are hard to read; the others come when they are asked for. */
const FIRST = 25;

export function WinRates({ category, uncounted }: { category: string; uncounted: boolean }) {
  const { data, error } = useQuery(matrixQuery(category, uncounted));
  const [all, setAll] = useState(false);
  const [at, setAt] = useState<{ row: string; column: string } | null>(null);
  const navigate = useNavigate();
  const cells = useMemo(() => bothWays(data?.cells ?? []), [data]);
  if (error && !data) return <p className="py-12 text-center text-ink-2">{asApiError(error).message}</p>;
  if (!data) return <Skeleton className="h-96 w-full rounded-lg" />;
  const models = all ? data.models : data.models.slice(0, FIRST);
  const name = (id: string) => data.models.find((model) => model.id === id)?.name ?? id;
  const cell = at && cells.get(`${at.row} ${at.column}`);
  return (
    <section
      aria-label="Win rates"
      className="flex max-h-[max(320px,calc(100dvh-150px))] min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
    >
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm">
        <p aria-live="polite" className="min-w-0 flex-1 basis-72 text-ink-2">
          {at && cell ? (
            <>
              <Strong>{name(at.row)}</Strong> won <Strong>{formatPercent(cell.win_rate)}</Strong> of{" "}
              {counted(cell.votes, "vote")} against <Strong>{name(at.column)}</Strong>: {cell.wins} won,{" "}
              {cell.losses} lost, {cell.ties} tied, {cell.both_bad} both bad
              {cell.expected !== null && `. Expected from scores: ${formatPercent(cell.expected)}`}
            </>
          ) : at ? (
            `${name(at.row)} and ${name(at.column)} have no battles.`
          ) : (
            <>
              {"Win rate of the row against the column, with the number of votes below. "}
              <span className="pointer-coarse:hidden">
                Move with the arrow keys. Press Enter to open the head-to-head.
              </span>
            </>
          )}
        </p>
        {data.models.length > FIRST && (
          <Button size="sm" onClick={() => setAll(!all)}>
            {all ? `Show top ${FIRST}` : `Show all ${data.models.length}`}
          </Button>
        )}
        <Legend />
      </div>
      <HeatMap
        models={models}
        cells={cells}
        onAt={setAt}
        onOpen={(a, b) => navigate({ to: "/head-to-head/$a/$b", params: { a, b } })}
      />
    </section>
  );
}

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="font-semibold text-ink">{children}</b>
);

function Legend() {
  return (
    <div aria-hidden="true" className="flex items-center gap-2 text-2xs text-ink-3">
      lost
      <span className="h-2 w-24 rounded-full bg-[linear-gradient(90deg,var(--heat-low),var(--surface),var(--heat-high))]" />
      won (paler: fewer votes)
    </div>
  );
}

/** Every pair from both sides, by "row column"; the server tells each of them once or twice. */
export function bothWays(cells: readonly PairCell[]): Map<string, PairCell> {
  const found = new Map<string, PairCell>();
  for (const cell of cells) found.set(`${cell.model} ${cell.other}`, cell);
  for (const cell of cells) {
    const key = `${cell.other} ${cell.model}`;
    if (!found.has(key)) found.set(key, turned(cell));
  }
  return found;
}

export const turned = (cell: PairCell): PairCell => ({
  ...cell,
  model: cell.other,
  other: cell.model,
  wins: cell.losses,
  losses: cell.wins,
  win_rate: cell.win_rate === null ? null : 1 - cell.win_rate,
  expected: cell.expected === null ? null : 1 - cell.expected,
});
