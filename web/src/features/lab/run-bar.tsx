/** The counts, rate, time and money of a run above their bars, with what can be done about it. */

import { useQuery } from "@tanstack/react-query";
import { Play, Plus } from "lucide-react";
import { useState } from "react";
import { modelsQuery } from "@/api/queries";
import { cancelRun, extendRun, pauseRun, type Run, resumeRun, useChangeRun } from "@/features/lab/lab-api";
import { Money } from "@/features/lab/money";
import { PauseButtons } from "@/features/lab/pause-buttons";
import { timeWords } from "@/features/lab/plan-bar";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

export function RunBar({ run }: { run: Run }) {
  const { progress } = run;
  const pause = useChangeRun(() => pauseRun(run.id));
  const resume = useChangeRun(() => resumeRun(run.id));
  const cancel = useChangeRun(() => cancelRun(run.id));
  const [extending, setExtending] = useState(false);
  const running = run.status === "running";
  const missing = progress.cells - progress.completed;
  const share = (count: number) => `${progress.cells ? (count / progress.cells) * 100 : 0}%`;
  return (
    <section aria-label="Progress" className="flex flex-wrap items-center gap-x-5 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-60 flex-1">
        <p role="status" className="num flex flex-wrap gap-x-3 pb-1.5 text-xs text-ink-2">
          <strong className="font-medium text-ink">
            {formatCount(progress.completed)} of {formatCount(progress.cells)} calls
          </strong>
          {running && progress.recorded > 0 && <span>{formatCount(progress.recorded)} recorded before</span>}
          {progress.running > 0 && <span>{progress.running} running</span>}
          {progress.failed > 0 && (
            <span className="text-bad">
              {progress.failed} failed, {run.plan.failed === "fail" ? "count as 0" : "excluded"}
            </span>
          )}
          <span className="flex-1" />
          {progress.rate !== null && <span>{Math.round(progress.rate)} calls/min</span>}
          {progress.seconds_left !== null && running && <span>{timeWords(progress.seconds_left)} left</span>}
        </p>
        <div
          role="progressbar"
          aria-label="Calls"
          aria-valuemin={0}
          aria-valuemax={progress.cells}
          aria-valuenow={progress.completed}
          className="flex h-1.5 gap-px overflow-clip rounded-full bg-raised"
        >
          <i className="bg-accent/60" style={{ width: share(progress.recorded) }} />
          <i className="bg-accent" style={{ width: share(progress.completed - progress.recorded) }} />
          <i className="bg-bad" style={{ width: share(progress.failed) }} />
        </div>
      </div>
      <Money of={run} />
      <div className="flex gap-2">
        {running ? (
          <PauseButtons pause={pause} cancel={cancel} />
        ) : (
          <>
            <Button onClick={() => setExtending(true)}>
              <Plus aria-hidden="true" />
              Extend
            </Button>
            {missing > 0 && (
              <Button variant="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
                <Play aria-hidden="true" />
                {progress.failed === missing
                  ? `Retry ${missing} failed`
                  : `Resume, ${formatCount(missing)} missing`}
              </Button>
            )}
          </>
        )}
      </div>
      {run.problem && (
        <p role="alert" className="w-full text-sm text-bad">
          {run.problem.title} <span className="text-ink-2">{run.problem.detail}</span>
        </p>
      )}
      {extending && <ExtendDialog run={run} onClose={() => setExtending(false)} />}
    </section>
  );
}

function ExtendDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { plan } = run;
  const { data: models = [] } = useQuery(modelsQuery);
  const [picked, setPicked] = useState<readonly string[]>(plan.models);
  const [repeats, setRepeats] = useState(plan.repeats ?? 1);
  const [cap, setCap] = useState(run.cap_usd === null ? "" : String(run.cap_usd));
  const [newest, setNewest] = useState(true);
  const extend = useChangeRun(() =>
    extendRun(run.id, {
      models: [...picked],
      repeats,
      newest_rows: newest,
      cap_usd: Number(cap) > 0 ? Number(cap) : null,
      ...(plan.first_rows && newest && { first_rows: null }),
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Extend run ${run.number}`}
      titled
      className="max-w-md"
    >
      <form
        className="flex max-h-[62vh] flex-col gap-4 overflow-y-auto p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          extend.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <p className="text-xs text-ink-3">Only answers that are not recorded yet are asked for.</p>
        <fieldset className="flex flex-col">
          <legend className="pb-1 text-sm font-medium">Models</legend>
          {models
            .filter(({ id, kind, enabled }) => plan.models.includes(id) || (kind === "single" && enabled))
            .map(({ id, name }) => (
              <label key={id} className="flex min-h-7 touch:min-h-11 items-center gap-2.5 text-sm">
                <Checkbox
                  checked={picked.includes(id)}
                  onChange={({ target }) =>
                    setPicked(target.checked ? [...picked, id] : picked.filter((each) => each !== id))
                  }
                />
                {name}
              </label>
            ))}
        </fieldset>
        <div className="grid grid-cols-2 gap-3">
          <Labelled label="Repeats">
            {(id) => (
              <Field
                id={id}
                type="number"
                min={1}
                max={100}
                value={repeats}
                onChange={({ target }) => setRepeats(Math.max(1, Number(target.value) || 1))}
              />
            )}
          </Labelled>
          <Labelled label="Cap $">
            {(id) => (
              <Field
                id={id}
                type="number"
                min={0}
                step="any"
                placeholder="none"
                value={cap}
                onChange={({ target }) => setCap(target.value)}
              />
            )}
          </Labelled>
        </div>
        <label className="flex items-center gap-2.5 text-sm">
          <Checkbox checked={newest} onChange={({ target }) => setNewest(target.checked)} />
          Use the present rows of {plan.dataset_name}
        </label>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={picked.length === 0 || extend.isPending}>
            Run what is missing
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
