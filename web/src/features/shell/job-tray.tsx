/** What runs for longer, on every page: progress with counts, and a way to cancel. */

import { ProgressBar } from "@/components/progress-bar";
import { useJobs } from "@/lib/job-store";
import { Button } from "@/ui/button";

export function JobTray() {
  const jobs = useJobs((state) => state.jobs);
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Running jobs" className="border-b border-line bg-surface">
      <ul>
        {jobs.map((job) => (
          <li
            key={job.id}
            className="flex min-h-11 items-center gap-x-4 px-3 py-1.5 text-sm sm:px-5 [&+li]:border-t [&+li]:border-line"
          >
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
              <p className="min-w-0 truncate font-medium">{job.title}</p>
              <ProgressBar label={job.title} done={job.done} className="h-1.5 w-40 max-w-full shrink-0" />
              <p className="num text-ink-2">{job.detail}</p>
            </div>
            {job.cancel && (
              <Button size="sm" aria-label={`Cancel: ${job.title}`} onClick={job.cancel}>
                Cancel
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
