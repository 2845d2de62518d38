/** The answers, attempts, time and money of a search above their bars, with what can be done about it. */

import { Play } from "lucide-react";
import { useState } from "react";
import {
  cancelImprovement,
  type Improvement,
  pauseImprovement,
  resumeImprovement,
  useChangeImprovement,
} from "@/features/lab/improve-api";
import { Money } from "@/features/lab/money";
import { PauseButtons } from "@/features/lab/pause-buttons";
import { timeWords } from "@/features/lab/plan-bar";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

export function ImproveBar({ improvement }: { improvement: Improvement }) {
  const { id, progress, status, problem } = improvement;
  const pause = useChangeImprovement(() => pauseImprovement(id));
  const cancel = useChangeImprovement(() => cancelImprovement(id));
  const running = status === "running";
  const all = progress.most_answers + progress.to_measure;
  const share = (count: number) => `${(count / all) * 100}%`;
  return (
    <section aria-label="Progress" className="flex flex-wrap items-center gap-x-5 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-60 flex-1">
        <p role="status" className="num flex flex-wrap gap-x-3 pb-1.5 text-xs text-ink-2">
          <strong className="font-medium text-ink">
            {formatCount(progress.answers)} of at most {formatCount(progress.most_answers)} answers
          </strong>
          <span>{count(progress.reflections, "rewrite")}</span>
          <span>{count(Math.max(0, progress.candidates - 1), "candidate")}</span>
          {progress.measured > 0 && (
            <span>
              {formatCount(progress.measured)} of {formatCount(progress.to_measure)} measured on unseen rows
            </span>
          )}
          {progress.failed > 0 && <span className="text-bad">{progress.failed} failed, count as 0</span>}
          <span className="flex-1" />
          {progress.running > 0 && <span>{progress.running} running</span>}
          {progress.seconds_left !== null && running && (
            <span>at most {timeWords(progress.seconds_left)} left</span>
          )}
        </p>
        <div
          role="progressbar"
          aria-label="Answers"
          aria-valuemin={0}
          aria-valuemax={all}
          aria-valuenow={progress.answers + progress.measured}
          className="flex h-1.5 gap-px overflow-clip rounded-full bg-raised"
        >
          <i className="bg-accent" style={{ width: share(progress.answers) }} />
          <i className="bg-good" style={{ width: share(progress.measured) }} />
        </div>
      </div>
      <Money of={improvement} />
      {running ? (
        <div className="flex gap-2">
          <PauseButtons pause={pause} cancel={cancel} />
        </div>
      ) : (
        status !== "completed" && <Resume improvement={improvement} />
      )}
      {problem && (
        <p role="alert" className="w-full text-sm text-bad">
          {problem.title} <span className="text-ink-2">{problem.detail}</span>
        </p>
      )}
    </section>
  );
}

const count = (number: number, noun: string) => `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Goes on with another cap, which a search that stopped at its cap needs. */
function Resume({ improvement: { id, cap_usd } }: { improvement: Improvement }) {
  const [cap, setCap] = useState(cap_usd === null ? "" : String(cap_usd));
  const resume = useChangeImprovement(() =>
    resumeImprovement(id, { cap_usd: Number(cap) > 0 ? Number(cap) : null }),
  );
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        resume.mutate();
      }}
    >
      <span className="text-ink-2">Cap $</span>
      <Field
        type="number"
        aria-label="Cap in dollars"
        min={0}
        step="any"
        className="w-24"
        placeholder="none"
        value={cap}
        onChange={({ target }) => setCap(target.value)}
      />
      <Button variant="primary" type="submit" disabled={resume.isPending}>
        <Play aria-hidden="true" />
        Resume
      </Button>
    </form>
  );
}
