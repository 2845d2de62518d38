/** A model's line of the table. */

import { type MouseEvent, memo } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { COLUMNS } from "@/features/leaderboard/columns";
import { LineMarks } from "@/features/leaderboard/line-marks";
import { NAMED, showOnce } from "@/features/leaderboard/named-line";
import { STRINGS } from "@/features/leaderboard/strings";
import { IntervalBar } from "@/features/standings/interval-bar";
import { ModelName } from "@/features/standings/model-name";
import { cn } from "@/lib/cn";
import { formatBlend, formatCount, formatMargin, formatMs, formatPercent, formatRating } from "@/lib/format";
import type { Scale } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";
import { Checkbox } from "@/ui/checkbox";

interface BoardRowProps {
  line: LeaderboardLine;
  scale: Scale;
  grouped: boolean;
  picked: boolean;
  /** The address names it. */
  named: boolean;
  onPick: (id: string) => void;
  onOpen: (id: string) => void;
}

const HIDING = Object.fromEntries(
  COLUMNS.map(({ id, className }) => [id, className.split(" ").filter((name) => name.startsWith("@"))]),
);

export const BoardRow = memo(function BoardRow(props: BoardRowProps) {
  const { line, scale, grouped, picked, named, onPick, onOpen } = props;
  const { model } = line;
  const open = (event: MouseEvent) => {
    if (event.defaultPrevented || (event.target as Element).closest("a, button, input, label")) return;
    if (getSelection()?.toString()) return;
    onOpen(model.id);
  };
  const cell = (id: string, ...more: string[]) => cn("px-2.5 py-2", HIDING[id], more);
  return (
    <tr
      data-row={model.id}
      ref={named ? showOnce : undefined}
      aria-current={named || undefined}
      onClick={open}
      className={cn(
        "cursor-pointer border-t border-line hover:bg-raised/60",
        picked && "bg-raised",
        named && NAMED,
      )}
    >
      <td className="p-0">
        <label className="flex h-10 w-10 cursor-pointer items-center justify-center">
          <Checkbox
            aria-label={STRINGS.compareModel(model.name)}
            checked={picked}
            onChange={() => onPick(model.id)}
          />
        </label>
      </td>
      <td className={cell("rank", "num text-right text-ink-2")}>{line.rank_ub}</td>
      <th scope="row" className={cell("model", "text-left font-normal")}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <ModelName model={model} />
          <LineMarks line={line} grouped={grouped} />
        </span>
      </th>
      <td className={cell("rating", "num text-right font-semibold")}>{formatRating(line.rating)}</td>
      <td className={cell("ci", "num text-right text-ink-2")}>
        {formatMargin(line.ci_lower, line.ci_upper)}
      </td>
      <td className={cell("bar")}>
        <IntervalBar
          rating={line.rating}
          lower={line.ci_lower}
          upper={line.ci_upper}
          scale={scale}
          color={colorOfModel(model)}
        />
      </td>
      <td className={cell("votes", "num text-right")}>{formatCount(line.votes)}</td>
      <td className={cell("win_rate", "num text-right")}>{formatPercent(line.win_rate)}</td>
      <td className={cell("organization", "text-ink-2 [overflow-wrap:anywhere]")}>{model.organization}</td>
      <td className={cell("license", "text-ink-2 [overflow-wrap:anywhere]")}>{model.license}</td>
      <td className={cell("price", "num text-right text-ink-2")}>
        {line.price === null ? "–" : formatBlend(line.price)}
      </td>
      <td className={cell("latency", "num text-right whitespace-nowrap text-ink-2")}>
        {formatMs(line.ttft_p50_ms)}
      </td>
    </tr>
  );
});
