/** The checks that tell the answers graded bad from those graded good, each added with one click. */

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { checkWords, kindOf } from "@/features/lab/check-kinds";
import { type ProposedCheck, proposalsQuery } from "@/features/lab/grades-api";
import {
  type Check,
  changePrompt,
  extendRun,
  type PromptDetail,
  type Run,
  useChangePrompt,
  useChangeRun,
} from "@/features/lab/lab-api";
import { formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

const counted = (count: number, what: string) => `${formatCount(count)} ${what}`;

export function ProposedChecks({ run, detail }: { run: Run; detail: PromptDetail }) {
  const { data } = useQuery(proposalsQuery(run.id));
  const present = detail.prompt.checks as Check[];
  const add = useChangePrompt((check: Check) => changePrompt(run.prompt_id, { checks: [...present, check] }));
  const recheck = useChangeRun((check: Check) =>
    extendRun(run.id, { newest_rows: false, checks: [...(run.checks as unknown as Check[]), check] }),
  );
  if (!data || data.good + data.bad === 0) return null;
  const whole = run.status === "completed" && run.progress.completed === run.progress.cells;
  const take = (check: Check) =>
    add.mutate(check, {
      onSuccess: () => {
        showToast(whole ? "Check added. The recorded answers are checked." : "Check added.");
        if (whole) recheck.mutate(check);
      },
    });
  return (
    <section
      aria-label="Proposed checks"
      className="shrink-0 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <p className="num text-sm" role="status">
        <span className="font-semibold">Proposed checks</span>{" "}
        <span className="text-ink-2">
          from {counted(data.good, "good")} and {counted(data.bad, "bad")} answers.{" "}
          {(data.good === 0 || data.bad === 0) &&
            `Grade an answer as ${data.good === 0 ? "good" : "bad"} too to get proposals.`}
          {data.good > 0 &&
            data.bad > 0 &&
            data.checks.length === 0 &&
            "No built-in check tells them apart. Grade more answers, or write your own check."}
        </span>
      </p>
      {data.checks.length > 0 && (
        <ul className="flex max-h-52 flex-col overflow-y-auto pt-1.5" tabIndex={0} aria-label="Proposals">
          {data.checks.map((each) => (
            <Proposal
              key={JSON.stringify(each.check)}
              {...{ each, good: data.good, bad: data.bad }}
              pending={add.isPending || recheck.isPending}
              onAdd={() => take(each.check as unknown as Check)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ProposalProps {
  each: ProposedCheck;
  good: number;
  bad: number;
  pending: boolean;
  onAdd: () => void;
}

function Proposal({ each: { check, label, caught, alarms }, good, bad, pending, onAdd }: ProposalProps) {
  const spec = check as unknown as Check;
  const [kind, words] = [kindOf(spec), checkWords(spec)];
  return (
    <li className="flex items-center gap-3 border-t border-line py-1.5 text-sm">
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={words}>
          <span className="font-medium">{label}</span>{" "}
          <span className="text-xs text-ink-3">
            {kind?.label !== label && kind?.label} {words}
          </span>
        </span>
        <span className="num block text-xs">
          catches {caught} of {counted(bad, "bad")},{" "}
          <span className={alarms ? "text-bad" : "text-ink-2"}>
            {counted(alarms, alarms === 1 ? "false alarm" : "false alarms")} in {counted(good, "good")}
          </span>
        </span>
      </span>
      <Button size="sm" disabled={pending} onClick={onAdd} aria-label={`Add check: ${label}`}>
        <Plus aria-hidden="true" />
        Add check
      </Button>
    </li>
  );
}
