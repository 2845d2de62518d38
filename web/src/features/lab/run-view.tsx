/** One run: its progress and money on one bar, the result in a sentence, the grid, one cell beside. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowLeft, Download } from "lucide-react";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { RelativeTime } from "@/components/relative-time";
import { CellPanel } from "@/features/lab/cell-panel";
import { Comparisons } from "@/features/lab/comparisons";
import { CostPlot } from "@/features/lab/cost-plot";
import { type CellPlace, type PromptDetail, type Report, reportQuery } from "@/features/lab/lab-api";
import { NO_CELL } from "@/features/lab/lab-search";
import { ProposedChecks } from "@/features/lab/proposed-checks";
import { RunBar } from "@/features/lab/run-bar";
import { RunGrid } from "@/features/lab/run-grid";
import { StatusMark } from "@/features/lab/status-mark";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Segmented } from "@/ui/segmented";
import { Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/lab");

interface RunViewProps {
  id: string;
  detail: PromptDetail;
  onClose: () => void;
}

export function RunView({ id, detail, onClose }: RunViewProps) {
  const { data, isError, error } = useQuery(reportQuery(id));
  if (isError && !data)
    return (
      <EmptyPage title={asApiError(error).message} text={asApiError(error).detail ?? "Choose another run."}>
        <Button onClick={onClose}>All runs</Button>
      </EmptyPage>
    );
  if (!data) return <Skeleton className="m-5 h-72 flex-1 rounded-lg" />;
  return <Run report={data} detail={detail} onClose={onClose} />;
}

interface RunProps {
  report: Report;
  detail: PromptDetail;
  onClose: () => void;
}

function Run({ report, detail, onClose }: RunProps) {
  const { run } = report;
  const { row, version, model } = route.useSearch();
  const navigate = route.useNavigate();
  const open = useMemo(
    () => (row && version && model ? { row, version, model } : null),
    [row, version, model],
  );
  const setOpen = (place: CellPlace | null) =>
    navigate({
      search: (now: Record<string, unknown>) => ({ ...now, ...(place ?? NO_CELL) }) as never,
      replace: true,
    });
  const [view, setView] = useState<"grid" | "cost">("grid");
  const step = (by: number) => {
    const at = report.rows.findIndex(({ place }) => place === open?.row);
    const next = report.rows[at + by];
    if (open && next) setOpen({ ...open, row: next.place });
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col max-xl:overflow-y-auto">
      <div className="flex flex-wrap items-center gap-2.5 px-5 pt-3 text-sm">
        <IconButton size="icon-sm" label="All runs" onClick={onClose}>
          <ArrowLeft />
        </IconButton>
        <h2 className="font-semibold">Run {run.number}</h2>
        <StatusMark status={run.status} />
        <span className="text-xs text-ink-3">
          started <RelativeTime at={run.started_at} /> on {run.plan.dataset_name}, v{run.plan.dataset_number}
        </span>
        <span className="flex-1" />
        <Segmented
          label="View"
          value={view}
          options={[
            { value: "grid", label: "Answers" },
            { value: "cost", label: "Cost and quality" },
          ]}
          onChange={setView}
        />
        <Button variant="quiet" size="sm" asChild>
          <a href={`/api/lab/runs/${run.id}/csv`} download={`run-${run.number}.csv`}>
            <Download aria-hidden="true" />
            CSV
          </a>
        </Button>
      </div>
      <RunBar run={run} />
      <div className="flex min-h-0 flex-1 max-xl:flex-none max-xl:flex-col">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 px-5 pb-3">
          <Comparisons report={report} />
          <ProposedChecks run={run} detail={detail} />
          {view === "grid" ? (
            <RunGrid report={report} open={open} onOpen={setOpen} />
          ) : (
            <CostPlot report={report} />
          )}
        </div>
        {open && <CellPanel run={run} place={open} onStep={step} onClose={() => setOpen(null)} />}
      </div>
    </div>
  );
}
