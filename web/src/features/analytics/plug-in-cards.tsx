/** Cards and charts of plug-ins, under those of the dashboard that they belong to. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { plugInsQuery, working } from "@/api/plug-ins";
import type { UsageCard as Card, Dashboard, MeasureView, UsageQuestion, UsageTable } from "@/api/usage";
import type { Picture } from "@/components/drawing-frame";
import type { AnalyticsSearch } from "@/features/analytics/analytics-search";
import { questionOf, rowsOf, type Span, unfiltered, withWhere } from "@/features/analytics/question";
import { UsageCard } from "@/features/analytics/usage-card";
import { useIsLight } from "@/lib/use-is-light";
import { Skeleton } from "@/ui/skeleton";

interface Asked {
  measure: string;
  by: string[];
  where: Record<string, string[]>;
  of: Dashboard["of"];
}

type CardContent = Asked & { draw: Card["kind"]; value: string };
type ViewContent = Asked & { spec: Record<string, unknown> };

interface PlugInCardsProps {
  of: Dashboard["of"];
  measures: readonly MeasureView[];
  search: AnalyticsSearch;
  span: Span;
  models: ReadonlyMap<string, string>;
}

export function PlugInCards({ of, measures, search, span, models }: PlugInCardsProps) {
  const { data } = useQuery(plugInsQuery);
  const cards = working<CardContent>(data, "card").map(({ id, title, content }) => ({
    id,
    content,
    card: { title, measure: content.measure, kind: content.draw, by: content.by, value: content.value },
    spec: null,
  }));
  const views = working<ViewContent>(data, "view").map(({ id, title, content }) => ({
    id,
    content,
    card: { title, measure: content.measure, kind: "bars" as const, by: content.by, value: "" },
    spec: content.spec,
  }));
  const shown = [...cards, ...views].filter(({ content }) => content.of === of);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Plug-ins" className="flex flex-wrap gap-3 *:flex-[1_1_20rem]">
      {shown.map(({ id, content, card, spec }) => {
        const measure = measures.find(({ name }) => name === content.measure);
        if (!measure) return null;
        const question: UsageQuestion = withWhere(questionOf(card, measure, search, of, span), content.where);
        return (
          <UsageCard
            key={id}
            card={card}
            measure={measure}
            question={question}
            unfiltered={unfiltered(measure, search)}
            models={models}
            {...(spec && {
              picture: (table: UsageTable) => (
                <ViewPicture title={card.title} spec={spec} rows={rowsOf(table, models)} />
              ),
            })}
          />
        );
      })}
    </section>
  );
}

interface ViewPictureProps {
  title: string;
  spec: Record<string, unknown>;
  rows: Record<string, unknown>[];
}

function ViewPicture({ title, spec, rows }: ViewPictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const light = useIsLight();
  const [drawn, setDrawn] = useState<Picture | { problem: string } | null>(null);
  const task = JSON.stringify({ spec, rows });
  useEffect(() => {
    let here = true;
    const width = frame.current?.clientWidth ?? 400;
    import("@/components/views/draw-view")
      .then(({ drawView }) => drawView({ ...JSON.parse(task), width }, light))
      .then(
        (picture) => here && setDrawn(picture),
        (error: Error) => here && setDrawn({ problem: error.message || "It takes too long to draw." }),
      );
    return () => {
      here = false;
    };
  }, [task, light]);
  return (
    <div ref={frame} className="min-h-40">
      {!drawn && <Skeleton className="h-52 w-full rounded-md" />}
      {drawn && "problem" in drawn && (
        <p className="py-6 text-sm text-ink-2">
          This chart can’t be drawn: {drawn.problem} The table has its figures.
        </p>
      )}
      {drawn && "url" in drawn && (
        <img
          src={drawn.url}
          alt={`${title}, drawn by a plug-in. The table has every figure.`}
          width={drawn.width}
          className="mx-auto max-w-full"
        />
      )}
    </div>
  );
}
