import { Link } from "@tanstack/react-router";
import type { HeadToHead } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { OutcomeBar } from "@/features/standings/outcome-bar";
import { counted, formatPercent } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";

/** Who does better at what. */
export function ByCategory({ data }: { data: HeadToHead }) {
  const rows = data.categories.flatMap((cell, index) => {
    const category = data.category_ids[index];
    return category && cell.votes > 0 ? [{ cell, category }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Panel title="By category">
      <ul className="flex flex-col gap-2.5">
        {rows.map(({ cell, category }) => (
          <li
            key={category.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,180px)_1fr_130px]"
          >
            <Link
              to="/leaderboard/$category"
              params={{ category: category.id }}
              className="truncate rounded-xs text-sm hover:underline"
            >
              {category.title}
            </Link>
            <div className="max-sm:order-last max-sm:col-span-2">
              <OutcomeBar
                outcomes={cell}
                left={{ name: data.left_model.name, color: PAIR_COLORS.left }}
                right={{ name: data.right_model.name, color: PAIR_COLORS.right }}
              />
            </div>
            <span className="num text-right text-sm">
              <b className="font-semibold">{formatPercent(cell.win_rate)}</b>{" "}
              <span className="text-xs text-ink-3">of {counted(cell.votes, "vote")}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
