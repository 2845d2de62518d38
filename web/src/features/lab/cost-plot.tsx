/** Cost against quality: a point with its interval for each version and model, and the figures below. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modelsQuery } from "@/api/queries";
import { type Column, figureColumn, Table } from "@/components/table";
import { type CostPoint, choiceOf, layOutCosts, pointsOf } from "@/features/lab/cost-points";
import type { ColumnFigures, Report } from "@/features/lab/lab-api";
import { formatCost, formatMs } from "@/lib/format";
import { colorOfModel } from "@/lib/series";
import { useWidth } from "@/lib/use-width";

const HEIGHT = 300;
const R = 5;

const cost = (dollars: number | null) => formatCost(dollars === null ? null : dollars * 1e6);
const points = (share: number) => (share * 100).toFixed(1);

export function CostPlot({ report: { columns } }: { report: Report }) {
  const { data: models = [] } = useQuery(modelsQuery);
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const colorFor = (id: string) => {
    const organization = models.find((model) => model.id === id)?.organization ?? "";
    return colorOfModel({ id, organization });
  };
  const shown = pointsOf(columns);
  const several = new Set(columns.map(({ version }) => version)).size > 1;
  const titleOf = ({ version, model }: Pick<CostPoint, "version" | "model">) =>
    several ? `v${version} ${nameOf(model)}` : nameOf(model);
  return (
    <section
      aria-label="Cost and quality"
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-auto rounded-lg border border-line bg-surface"
    >
      <p className="px-4 pt-3 font-semibold text-balance">{sentence(shown, titleOf)}</p>
      {shown.length > 0 && <Plot points={shown} titleOf={titleOf} colorFor={colorFor} />}
      <Table
        label="Figures of the columns"
        columns={figures(titleOf)}
        rows={columns}
        rowKey={({ version, model }) => `v${version} ${model}`}
        dense
        scroll="max-h-96"
      />
    </section>
  );
}

function sentence(shown: readonly CostPoint[], titleOf: (point: CostPoint) => string): string {
  const choice = choiceOf(shown);
  if (!choice) return "No column has a score and a cost yet.";
  const { best, cheap } = choice;
  const tied = shown.some((it) => it !== best && it.mean === best.mean);
  const first = tied ? `No column scores better than ${titleOf(best)}` : `${titleOf(best)} scores best`;
  const top = `${first}: ${points(best.mean)} at ${cost(best.cost)} for 1,000 answers.`;
  if (cheap === best || cheap.cost >= best.cost) return top;
  return `${top} ${titleOf(cheap)} may be as good (95% up to ${points(cheap.high)}) at ${cost(cheap.cost)}.`;
}

interface PlotProps {
  points: readonly CostPoint[];
  titleOf: (point: CostPoint) => string;
  colorFor: (model: string) => string;
}

function Plot({ points: shown, titleOf, colorFor }: PlotProps) {
  const [box, width] = useWidth();
  const [at, setAt] = useState<string | null>(null);
  const frame = layOutCosts(shown, width, HEIGHT);
  const front = frame.places.filter(({ best }) => best);
  const versions = [...new Set(shown.map(({ version }) => version))];
  return (
    <div ref={box} className="mx-4 min-w-0 py-2">
      {width > 0 && (
        <svg
          role="img"
          aria-label={`Score by cost: ${shown.map((it) => `${titleOf(it)} ${points(it.mean)}, ${cost(it.cost)}`).join("; ")}`}
          width={width}
          height={HEIGHT}
          className="num block overflow-visible text-2xs"
        >
          {frame.yMarks.map((mark) => (
            <g key={mark}>
              <line
                x1={frame.left}
                x2={frame.right}
                y1={frame.y(mark)}
                y2={frame.y(mark)}
                stroke="var(--line)"
              />
              <text x={frame.left - 8} y={frame.y(mark) + 4} textAnchor="end" fill="var(--ink-3)">
                {Math.round(mark * 100)}
              </text>
            </g>
          ))}
          {frame.xMarks.map((mark) => (
            <text key={mark} x={frame.x(mark)} y={frame.bottom + 17} textAnchor="middle" fill="var(--ink-3)">
              {cost(mark)}
            </text>
          ))}
          <text x={frame.left} y={HEIGHT - 4} fill="var(--ink-3)">
            Cost of 1,000 answers
          </text>
          <polyline
            points={front.map((place) => `${place.x},${place.y}`).join(" ")}
            fill="none"
            stroke="var(--line-strong)"
            strokeDasharray="4 4"
          />
          {frame.places.map((place) => (
            <g
              key={place.id}
              opacity={at === null || at === place.id ? 1 : 0.35}
              onPointerEnter={() => setAt(place.id)}
              onPointerLeave={() => setAt(null)}
            >
              <title>{`${titleOf(place)}: ${points(place.mean)} (95% ${points(place.low)} to ${points(place.high)}), ${cost(place.cost)}`}</title>
              <path
                d={`M${place.x} ${frame.y(place.low)}V${frame.y(place.high)}M${place.x - 4} ${frame.y(place.low)}h8M${place.x - 4} ${frame.y(place.high)}h8`}
                stroke={colorFor(place.model)}
                strokeWidth={1.5}
                fill="none"
                opacity={0.7}
              />
              <path
                d={SHAPES[versions.indexOf(place.version) % SHAPES.length]?.(place.x, place.y) ?? ""}
                fill={place.best ? colorFor(place.model) : "var(--surface)"}
                stroke={colorFor(place.model)}
                strokeWidth={2}
              />
              <path
                d={`M${place.x + R + 3} ${place.y}L${frame.right + 6} ${place.label}`}
                stroke="var(--line-strong)"
                strokeDasharray="1 3"
              />
              <text x={frame.right + 10} y={place.label + 4} fill="var(--ink-2)" className="normal-nums">
                {titleOf(place)}
              </text>
            </g>
          ))}
        </svg>
      )}
      <p className="pt-1 text-xs text-ink-3">
        Filled: no other column is better and cheaper. Bars are 95% intervals, clustered by row.
      </p>
    </div>
  );
}

/** A shape for each version: circle, square, diamond, triangle. */
const SHAPES: ((x: number, y: number) => string)[] = [
  (x, y) => `M${x - R} ${y}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0Z`,
  (x, y) => `M${x - R} ${y - R}h${2 * R}v${2 * R}h${-2 * R}Z`,
  (x, y) => `M${x} ${y - R - 1.5}L${x + R + 1.5} ${y}L${x} ${y + R + 1.5}L${x - R - 1.5} ${y}Z`,
  (x, y) => `M${x} ${y - R - 1}L${x + R + 1} ${y + R}H${x - R - 1}Z`,
];

const figures = (titleOf: (point: ColumnFigures) => string): Column<ColumnFigures>[] => [
  { header: "Version and model", cell: titleOf, names: true },
  figureColumn("Score", ({ mean }) => (mean === null ? "–" : points(mean))),
  figureColumn("95% interval", ({ low, high }) =>
    low === null || high === null ? "–" : `${points(low)} to ${points(high)}`,
  ),
  figureColumn("For 1,000 answers", (column) => cost(column.cost_usd_per_1000), {
    blank: (column) => column.cost_usd_per_1000 === null,
  }),
  figureColumn("Time", ({ latency_ms: ms }) => formatMs(ms)),
];
