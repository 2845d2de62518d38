/** A line beside a table whose rows follow each other in time; the table says the same, so screen readers skip it. */
import type { Point } from "@/features/tools/query-result";

const WIDTH = 100;
const HEIGHT = 40;

export function LineChart({ title, points }: { title: string; points: readonly Point[] }) {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const height = (value: number) => HEIGHT - ((value - least) / (most - least || 1)) * HEIGHT;
  const line = values.map(
    (value, at) => `${((at / (values.length - 1)) * WIDTH).toFixed(2)},${height(value).toFixed(2)}`,
  );
  const [first, last] = [points[0], points.at(-1)];
  return (
    <figure
      aria-hidden="true"
      className="num m-0 flex min-w-0 flex-col border-line px-3 py-2 text-xs text-ink-2 max-lg:border-t lg:border-l"
    >
      <figcaption className="mb-1.5 flex justify-between gap-2">
        <span className="truncate">{title}</span>
        <span>up to {short(Math.max(...values))}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-32 w-full overflow-visible"
      >
        <line
          x1={0}
          x2={WIDTH}
          y1={height(0)}
          y2={height(0)}
          className="stroke-line-strong"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={line.join(" ")}
          className="fill-none stroke-accent stroke-2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="m-0 mt-1 flex justify-between gap-2">
        <span>{first?.label}</span>
        <span>{last?.label}</span>
      </p>
    </figure>
  );
}

const short = (value: number) =>
  value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });
