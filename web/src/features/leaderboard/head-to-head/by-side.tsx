import type { HeadToHead, PairCell } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { OutcomeBar } from "@/features/standings/outcome-bar";
import { counted, formatPercent } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";

/** Whether it matters on which side a model sat: readers may favour what stands first. */
export function BySide({ data }: { data: HeadToHead }) {
  const rows = [
    { name: `${data.left_model.name} on the left`, cell: data.as_left },
    { name: `${data.left_model.name} on the right`, cell: without(data.overall, data.as_left) },
  ];
  return (
    <Panel title="By side">
      <ul className="flex flex-col gap-3">
        {rows.map(({ name, cell }) => (
          <li key={name}>
            <p className="num flex items-baseline justify-between gap-3 pb-1 text-sm">
              <span className="truncate text-ink-2 normal-nums">{name}</span>
              <span className="shrink-0">
                <b className="font-semibold">{formatPercent(cell.win_rate)}</b>{" "}
                <span className="text-xs text-ink-3">of {counted(cell.votes, "vote")}</span>
              </span>
            </p>
            <OutcomeBar
              outcomes={cell}
              left={{ name: data.left_model.name, color: PAIR_COLORS.left }}
              right={{ name: data.right_model.name, color: PAIR_COLORS.right }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What is left of all votes when a part of them is taken away. */
export function without(all: PairCell, part: PairCell): PairCell {
  const votes = all.votes - part.votes;
  const [wins, losses] = [all.wins - part.wins, all.losses - part.losses];
  const [ties, both_bad] = [all.ties - part.ties, all.both_bad - part.both_bad];
  const win_rate = votes > 0 ? (wins + (ties + both_bad) / 2) / votes : null;
  return { ...all, votes, wins, losses, ties, both_bad, win_rate };
}
