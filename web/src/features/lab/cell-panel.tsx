/** One cell of a run: the row, each answer with its verdicts, what was sent, and the difference to another column. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { modelsQuery } from "@/api/queries";
import { ANSWER_BOX, CellAnswers } from "@/features/lab/cell-answers";
import { type CellDetail, type CellPlace, cellQuery, type Run } from "@/features/lab/lab-api";
import { LineDiff } from "@/features/lab/line-diff";
import { IconButton } from "@/ui/icon-button";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

type View = "answer" | "diff" | "prompt";

interface CellPanelProps {
  run: Run;
  place: CellPlace;
  onStep: (by: number) => void;
  onClose: () => void;
}

export function CellPanel({ run, place, onStep, onClose }: CellPanelProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const client = useQueryClient();
  const { data: cell } = useQuery(cellQuery(run.id, place));
  const [view, setView] = useState<View>("answer");
  const name = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const done = run.progress.completed + run.progress.failed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer may be this cell's
  useEffect(() => {
    client.invalidateQueries({ queryKey: ["lab", "cell", run.id] });
  }, [client, run.id, done]);
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell is brought into view
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" }); // some browsers return a promise, which React would call
  }, [place]);
  return (
    <aside
      ref={panel}
      aria-label="Cell"
      className="flex w-[390px] shrink-0 flex-col border-l border-line max-xl:w-full max-xl:border-t max-xl:border-l-0"
    >
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <h3 className="min-w-0 flex-1 truncate text-sm font-semibold">
          Row {place.row}{" "}
          <span className="font-normal text-ink-2">
            {name(place.model)}, v{place.version}
          </span>
        </h3>
        <IconButton size="icon-sm" label="Previous row" onClick={() => onStep(-1)}>
          <ChevronLeft />
        </IconButton>
        <IconButton size="icon-sm" label="Next row" onClick={() => onStep(1)}>
          <ChevronRight />
        </IconButton>
        <IconButton size="icon-sm" label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className="flex flex-col gap-3 px-4 py-3 xl:min-h-0 xl:overflow-y-auto">
        {!cell && <Skeleton className="h-40 rounded-md" />}
        {cell && (
          <>
            <Segmented
              label="Shown"
              className="self-start"
              value={view}
              options={[
                { value: "answer", label: "Answer" },
                { value: "diff", label: "Diff" },
                { value: "prompt", label: "Prompt sent" },
              ]}
              onChange={setView}
            />
            {view === "prompt" && <Sent cell={cell} />}
            {view === "diff" && <CellDiff run={run} place={place} cell={cell} name={name} />}
            {view === "answer" && <CellAnswers run={run} place={place} cell={cell} />}
          </>
        )}
      </div>
    </aside>
  );
}

function Sent({ cell }: { cell: CellDetail }) {
  return (
    <>
      {cell.prompt.map(({ role, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids
        <div key={at}>
          <h4 className="pb-1 text-xs font-medium text-ink-3">{role}</h4>
          <div tabIndex={0} className={ANSWER_BOX}>
            {text}
          </div>
        </div>
      ))}
    </>
  );
}

interface CellDiffProps {
  run: Run;
  place: CellPlace;
  cell: CellDetail;
  name: (id: string) => string;
}

function CellDiff({ run: { id, plan }, place, cell, name }: CellDiffProps) {
  const columns = plan.models
    .flatMap((model) => plan.versions.map((version) => ({ model, version })))
    .filter(({ model, version }) => model !== place.model || version !== place.version);
  const usual = columns.findIndex(({ model }) => model === place.model);
  const [at, setAt] = useState(Math.max(0, usual));
  const base = columns[at];
  const { data: other } = useQuery({
    ...cellQuery(id, { ...place, ...base }),
    enabled: base !== undefined,
  });
  if (!base)
    return <p className="text-sm text-ink-2">The run has one column, so there is nothing to compare.</p>;
  return (
    <>
      <Select
        aria-label="Compare with"
        value={String(at)}
        options={columns.map(({ model, version }, value) => ({
          value: String(value),
          label: `${name(model)}, v${version}`,
        }))}
        onChange={(value) => setAt(Number(value))}
      />
      <LineDiff
        label="Difference of the answers"
        before={other?.trials[0]?.text ?? ""}
        after={cell.trials[0]?.text ?? ""}
      />
    </>
  );
}
