/** Votes that no rating comes from, as a table of their own; there is none before the first of them. */

import { useQuery } from "@tanstack/react-query";
import { preferencesQuery } from "@/api/standings";
import type { Preferences } from "@/api/standings-types";
import { type Column, figureColumn, Table } from "@/components/table";
import { ModelName } from "@/features/standings/model-name";
import { counted } from "@/lib/format";

const COLUMNS: readonly Column<Preferences["lines"][number]>[] = [
  figureColumn("Rank", (line) => line.rank_ub, { width: "w-14" }),
  { header: "Model", cell: (line) => <ModelName model={line.model} />, names: true },
  figureColumn("Score", (line) => Math.round(line.rating)),
  figureColumn("95% interval", (line) => intervalText(line.ci_lower, line.ci_upper), { quiet: true }),
  figureColumn("Chosen", (line) => `${line.chosen} of ${line.shown}`, { quiet: true }),
];

export function PreferenceTable() {
  const { data } = useQuery(preferencesQuery);
  if (!data || data.votes + data.ties === 0) return null;
  return (
    <section aria-labelledby="preferences" className="flex flex-col gap-2 pt-4">
      <h2 id="preferences" className="text-sm font-semibold">
        Preferences
      </h2>
      <p className="text-sm text-ink-2">
        {counted(data.votes, "vote")} cast with names visible or in unrated modes, without effect on the
        leaderboard above.
        {data.ties > 0 && ` ${counted(data.ties, "vote")} for no model excluded.`}
      </p>
      {data.lines.length > 0 && (
        <div className="overflow-clip rounded-lg border border-line bg-surface">
          <Table
            dense
            label="Preferences"
            columns={COLUMNS}
            rows={data.lines}
            rowKey={(line) => line.model.id}
          />
        </div>
      )}
    </section>
  );
}

const intervalText = (lower: number | null, upper: number | null) =>
  lower === null || upper === null ? "–" : `${Math.round(lower)}–${Math.round(upper)}`;
