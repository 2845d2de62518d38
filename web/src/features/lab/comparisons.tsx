/** The result of a run in a sentence, with the intervals of the differences that prove it. */

import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/queries";
import type { Report } from "@/features/lab/lab-api";
import { cn } from "@/lib/cn";

const points = (share: number) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)}`.replace("-", "−");

export function Comparisons({ report: { comparisons, sentence, columns } }: { report: Report }) {
  const { data: models = [] } = useQuery(modelsQuery);
  const name = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const words = columns.reduce((text, { model }) => text.replaceAll(model, name(model)), sentence);
  const shown = comparisons.filter(({ difference }) => difference !== null);
  const reach = Math.max(
    0.01,
    ...shown.flatMap((it) => [it.low, it.high, it.difference].map((end) => Math.abs(end ?? 0))),
  );
  const at = (share: number) => `${50 + (share / reach) * 48}%`;
  return (
    <section aria-label="Result" className="@container rounded-lg border border-line bg-surface px-4 py-3">
      <p role="status" className="text-base font-semibold text-balance">
        {words}
      </p>
      {shown.length > 0 && (
        <ul className="flex flex-col gap-0.5 pt-2">
          {shown.slice(0, 6).map((it) => {
            const label =
              it.a_version === it.b_version
                ? `${name(it.b_model ?? "")} − ${name(it.a_model ?? "")}`
                : (it.b_model && name(it.b_model)) || "All models";
            const open = it.low === null || it.high === null || (it.low <= 0 && it.high >= 0);
            return (
              <li
                key={`${it.a_model}-${it.b_model}`}
                className="num flex flex-wrap items-center gap-x-3 text-xs"
              >
                <span className={cn("w-44 shrink-0 truncate @max-md:w-28", !it.b_model && "font-medium")}>
                  {label}
                </span>
                <span aria-hidden="true" className="relative h-4 min-w-24 flex-1 shrink-0">
                  <i className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
                  {it.low !== null && it.high !== null && (
                    <i
                      className={cn(
                        "absolute top-[7px] h-0.5",
                        open ? "bg-ink-3" : it.low > 0 ? "bg-good" : "bg-bad",
                      )}
                      style={{ left: at(it.low), right: `calc(100% - ${at(it.high)})` }}
                    />
                  )}
                  <i
                    className={cn(
                      "absolute top-1 -ml-1 size-2 rounded-full",
                      open ? "border border-ink-2 bg-surface" : (it.low ?? 0) > 0 ? "bg-good" : "bg-bad",
                    )}
                    style={{ left: at(it.difference ?? 0) }}
                  />
                </span>
                <span className="w-12 text-right font-medium">{points(it.difference ?? 0)}</span>
                <span className="w-80 text-ink-3 @max-3xl:w-full">
                  {it.low !== null && it.high !== null && `95% ${points(it.low)} to ${points(it.high)}, `}
                  {it.rows} rows, {it.better} better, {it.worse} worse
                  {it.p !== null && `, p\u00a0${it.p < 0.001 ? "<\u00a00.001" : `=\u00a0${it.p.toFixed(3)}`}`}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
