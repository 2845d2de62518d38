import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ModelStatsView, PairCell } from "@/api/standings-types";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { Panel } from "@/components/panel";
import { type Column, figureColumn, Table } from "@/components/table";
import { OutcomeBar } from "@/features/standings/outcome-bar";
import { formatCount, formatPercent } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";
import { Button } from "@/ui/button";

const FIRST = 10;

/** Against whom: how the votes fell, and what the scores expect. Most votes first. */
export function Opponents({ stats: { model, models, opponents } }: { stats: ModelStatsView }) {
  const [all, setAll] = useState(false);
  const sorted = [...opponents].sort((a, b) => b.votes - a.votes);
  return (
    <Panel title="By opponent" flush>
      <Table
        dense
        fixed
        label="By opponent"
        columns={columnsOf(model, models)}
        rows={all ? sorted : sorted.slice(0, FIRST)}
        rowKey={(pair) => pair.other}
      />
      {sorted.length > FIRST && (
        <div className="border-t border-line px-3 py-2">
          <Button size="sm" variant="quiet" onClick={() => setAll(!all)}>
            {all ? `Show top ${FIRST}` : `Show all ${sorted.length}`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function columnsOf(model: ModelCard, models: readonly ModelCard[]): Column<PairCell>[] {
  const cards = new Map(models.map((card) => [card.id, card]));
  const nameOf = (id: string) => cards.get(id)?.name ?? id;
  return [
    {
      header: "Opponent",
      cell: ({ other }) => {
        const card = cards.get(other);
        return (
          <span className="flex min-w-0 items-center gap-2.5">
            {card && <ModelMark organization={card.organization} name={card.name} />}
            <Link
              to="/head-to-head/$a/$b"
              params={{ a: model.id, b: other }}
              className="line-clamp-2 rounded-xs leading-tight [overflow-wrap:anywhere] hover:underline"
              title={nameOf(other)}
            >
              {nameOf(other)}
            </Link>
          </span>
        );
      },
      names: true,
    },
    {
      header: "Outcome",
      cell: (pair) => (
        <OutcomeBar
          outcomes={pair}
          left={{ name: model.name, color: PAIR_COLORS.left }}
          right={{ name: nameOf(pair.other), color: PAIR_COLORS.right }}
        />
      ),
      width: "w-1/4",
    },
    figureColumn("Votes", (pair) => formatCount(pair.votes), { width: "w-16", narrow: "md" }),
    figureColumn("Won", (pair) => formatPercent(pair.win_rate), { width: "w-16", className: "font-medium" }),
    figureColumn("Expected", (pair) => formatPercent(pair.expected), {
      hint: "Predicted from the scores",
      width: "w-22",
      narrow: "md",
      quiet: true,
    }),
  ];
}
