/** Where the columns of a run stand in cost against quality. Pure: shares from 0 to 1, places in pixels. */

import { spread } from "@/components/charts/layout";
import type { ColumnFigures } from "@/features/lab/lab-api";
import { type Scale, scaleFrom, ticks } from "@/lib/scale";

export interface CostPoint {
  id: string;
  version: number;
  model: string;
  /** In dollars for 1,000 answers. */
  cost: number;
  mean: number;
  low: number;
  high: number;
  /** No other column is better and cheaper. */
  best: boolean;
}

/** Beyond this ratio of the costs, small ones would lie on each other: the axis has powers of ten. */
const WIDE = 20;
const [LEFT, TOP, FOOT, LABELS] = [44, 12, 40, 150];

/** The columns that have a score and a cost, the cheapest first. */
export function pointsOf(columns: readonly ColumnFigures[]): CostPoint[] {
  const points = columns.flatMap(({ version, model, mean, low, high, cost_usd_per_1000: cost }) =>
    mean === null || cost === null
      ? []
      : [{ id: `v${version} ${model}`, version, model, cost, mean, low: low ?? mean, high: high ?? mean }],
  );
  return points
    .map((point) => ({
      ...point,
      best: !points.some(
        (other) =>
          other.mean >= point.mean &&
          other.cost <= point.cost &&
          (other.mean > point.mean || other.cost < point.cost),
      ),
    }))
    .sort((a, b) => a.cost - b.cost);
}

/** The best column, and the cheapest one that may be as good: its interval reaches the best one's mean. */
export function choiceOf(points: readonly CostPoint[]): { best: CostPoint; cheap: CostPoint } | null {
  const best = points.reduce<CostPoint | null>((top, it) => (top && top.mean >= it.mean ? top : it), null);
  if (!best) return null;
  return { best, cheap: points.find(({ high }) => high >= best.mean) ?? best };
}

const logarithmic = (costs: readonly number[]): boolean => {
  const least = Math.min(...costs);
  return least > 0 && Math.max(...costs) / least > WIDE;
};

function costAxis(costs: readonly number[]): { scale: Scale; marks: number[] } {
  const top = Math.max(...costs, 0);
  if (!logarithmic(costs)) {
    const scale = scaleFrom(0, top > 0 ? top * 1.1 : 1);
    return { scale, marks: ticks(scale, 4) };
  }
  const [from, to] = [Math.floor(Math.log10(Math.min(...costs)) - 0.05), Math.ceil(Math.log10(top) + 0.05)];
  const powers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return {
    scale: { min: 10 ** from, max: 10 ** to, at: (cost) => (Math.log10(cost) - from) / (to - from) },
    marks: powers.map((power) => 10 ** power),
  };
}

export function layOutCosts(points: readonly CostPoint[], width: number, height: number) {
  const [right, bottom] = [Math.max(LEFT + 60, width - Math.min(LABELS, width * 0.3)), height - FOOT];
  const { scale, marks } = costAxis(points.map(({ cost }) => cost));
  const quality = scaleFrom(
    Math.max(0, Math.min(...points.map(({ low }) => low)) - 0.05),
    Math.min(1, Math.max(...points.map(({ high }) => high)) + 0.05),
  );
  const x = (cost: number) => LEFT + scale.at(cost) * (right - LEFT);
  const y = (share: number) => bottom - quality.at(share) * (bottom - TOP);
  const places = points.map((point) => ({ ...point, x: x(point.cost), y: y(point.mean) }));
  const labels = spread(
    places.map((place) => place.y),
    14,
    TOP,
    bottom,
  );
  return {
    left: LEFT,
    right,
    top: TOP,
    bottom,
    x,
    y,
    xMarks: marks,
    yMarks: ticks(quality, 5),
    places: places.map((place, at) => ({ ...place, label: labels[at] ?? place.y })),
  };
}
