/** A table that scrolls in its own area, by the keyboard too. */

import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

export const CELL = "px-3 py-1.5 text-left align-top";

export function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      data-scroll-area
      className="focus-inset max-h-[420px] overflow-auto rounded-md border border-line bg-surface"
    >
      <table className="num w-full text-sm">
        <thead>
          <tr>
            {head.map((name) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  CELL,
                  "sticky top-0 border-b border-line bg-surface text-xs font-medium text-ink-3",
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_tr+tr]:border-t [&_tr]:border-line">{children}</tbody>
      </table>
    </section>
  );
}
