/** What cheaper models of equal rating would have saved; nothing while there is no such model. */

import { useQuery } from "@tanstack/react-query";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import { type UsageQuestion, usageQuery } from "@/api/usage";
import { figureColumn, Table } from "@/components/table";
import { type Saving, savingsOf } from "@/features/analytics/savings";
import { formatCost } from "@/lib/format";

const COLUMNS = [
  { header: "Model", names: true, cell: ({ model }: Saving) => model },
  figureColumn<Saving, never>("Cost", ({ cost }) => formatCost(cost)),
  { header: "Cheaper, of equal rating", cell: ({ cheaper }: Saving) => cheaper },
  figureColumn<Saving, never>("Saves about", ({ saved }) => formatCost(saved)),
];

export function SavingsCard({ question }: { question: UsageQuestion }) {
  const { data: table } = useQuery(usageQuery(question));
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  const savings = table && board ? savingsOf(table, board.lines) : [];
  if (savings.length === 0) return null;
  const sum = savings.reduce((all, { saved }) => all + saved, 0);
  return (
    <section aria-label="Savings" className="min-w-0 rounded-lg border border-line bg-surface px-4 pt-3 pb-2">
      <h2 className="font-semibold">
        Cheaper models of equal rating would have saved about {formatCost(sum)}
      </h2>
      <p className="pt-0.5 pb-2 text-xs text-ink-3">
        By the leaderboard’s 95% intervals and blended prices. Equal: no vote so far tells them apart.
      </p>
      <div className="-mx-4">
        <Table
          label="Savings by model"
          columns={COLUMNS}
          rows={savings}
          rowKey={({ model }) => model}
          dense
        />
      </div>
    </section>
  );
}
