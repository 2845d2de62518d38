import type { ReactNode } from "react";

interface StatProps {
  name: string;
  value: ReactNode;
  /** Stands small behind the value. */
  unit?: ReactNode;
  title?: string;
  /** What the figure is; stands under it where another one could be taken for it. */
  meaning?: string;
}

/** A figure with its name; stands in a `dl`. */
export function Stat({ name, value, unit, title, meaning }: StatProps) {
  return (
    <div title={title} className="min-w-0 rounded-md border border-line bg-surface px-3.5 py-2.5">
      <dt className="truncate text-xs text-ink-3">{name}</dt>
      <dd className="num truncate text-lg font-semibold tracking-tight">
        {value}
        {unit && <span className="ml-1.5 text-sm font-normal text-ink-3">{unit}</span>}
        {meaning && (
          <span className="block text-2xs leading-tight font-normal tracking-normal whitespace-normal text-ink-3">
            {meaning}
          </span>
        )}
      </dd>
    </div>
  );
}
